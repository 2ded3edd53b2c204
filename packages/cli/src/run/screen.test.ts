import { expect, test } from 'vitest';
import { createScreen, type Screen } from './screen.ts';

function onScreen(act: (screen: Screen) => void, isLive = true): string {
  let out = '';
  const screen = createScreen({ columns: 20, write: (text) => (out += text) }, isLive);
  act(screen);
  return out;
}

test('a text that has no end yet is not wiped out by a question', () => {
  const out = onScreen((screen) => {
    screen.write('half a sentence');
    screen.hold();
  });
  expect(out).toBe('half a sentence\n');
});

test('what comes while somebody is asked comes out afterwards, in its order', () => {
  const out = onScreen((screen) => {
    screen.hold();
    screen.write('one\n');
    screen.write('two\n');
    screen.release();
    screen.write('three\n');
  });
  expect(out).toBe('one\ntwo\nthree\n');
});

test('the last line is written anew, never wider than the terminal, and gone at the end', () => {
  const out = onScreen((screen) => {
    screen.status('working: a tool with a long name');
    screen.write('text\n');
    screen.close();
  });
  expect(out).toBe(
    '\u001b[2mworking: a tool wit\u001b[22m\r\u001b[2Ktext\n\u001b[2mworking: a tool wit\u001b[22m\r\u001b[2K',
  );
});

test('a pipe gets no last line', () => {
  const out = onScreen((screen) => {
    screen.status('working');
    screen.write('text\n');
    screen.close();
  }, false);
  expect(out).toBe('text\n');
});
