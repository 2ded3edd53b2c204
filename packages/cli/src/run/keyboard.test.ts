import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createKeyboard, type KeyboardInput } from './keyboard.ts';

class Keys extends EventEmitter {
  isRaw = false;
  setRawMode(isRaw: boolean): void {
    this.isRaw = isRaw;
  }
  resume(): void {}
  pause(): void {}
  press(text: string): void {
    this.emit('data', Buffer.from(text));
  }
}

interface Desk {
  readonly keys: Keys;
  readonly line: Promise<string | undefined>;
  readonly shown: () => string;
  readonly interrupts: () => number;
  readonly callOff: () => void;
  /** Until the prompt is there. */
  ready(): Promise<void>;
}

function ask(kind: 'approval' | 'text', deafTime = 0): Desk {
  const keys = new Keys();
  let out = '';
  let count = 0;
  const off = new AbortController();
  const keyboard = createKeyboard(
    keys as unknown as KeyboardInput,
    { write: (text) => (out += text) },
    () => count++,
    deafTime,
  );
  const line = keyboard.line('› ', off.signal, kind);
  return {
    keys,
    line,
    shown: () => out,
    interrupts: () => count,
    callOff: () => off.abort(),
    async ready() {
      while (!out.includes('› ')) await new Promise((resolve) => setTimeout(resolve, 1));
    },
  };
}

describe('a line', () => {
  test.each([
    ['yes\r', 'yes'],
    ['yx\u007fes\r', 'yes'],
    ['nonsense\u0015yes\r', 'yes'],
    ['y\u001b[A\u001b[200~es\u001b[201~\r', 'yes'],
    ['日本\u007f\r', '日'],
    ['\r', ''],
    ['\u0004', ''],
  ])('%j is %j', async (typed, line) => {
    const desk = ask('approval');
    await desk.ready();
    desk.keys.press(typed);
    expect(await desk.line).toBe(line);
    expect(desk.keys.isRaw).toBe(false);
    expect(desk.keys.listenerCount('data')).toBe(0);
  });

  test('comes key by key, and what is typed is shown', async () => {
    const desk = ask('approval');
    await desk.ready();
    for (const key of 'no\r') desk.keys.press(key);
    expect(await desk.line).toBe('no');
    expect(desk.shown()).toBe('› no\n');
  });

  test('Ctrl-C ends it and is told', async () => {
    const desk = ask('approval');
    await desk.ready();
    desk.keys.press('y\u0003');
    expect(await desk.line).toBeUndefined();
    expect(desk.interrupts()).toBe(1);
  });

  test('is called off', async () => {
    const desk = ask('approval');
    await desk.ready();
    desk.callOff();
    expect(await desk.line).toBeUndefined();
  });
});

test('[T-21] an approval takes no key in its first time', async () => {
  const desk = ask('approval', 50);
  desk.keys.press('y\r');
  await desk.ready();
  desk.keys.press('n\r');
  expect(await desk.line).toBe('n');
});

test('[T-21] of what is pasted an approval takes one line', async () => {
  const desk = ask('approval');
  await desk.ready();
  desk.keys.press('n\ry\r');
  expect(await desk.line).toBe('n');
});

test('a text takes all lines that are pasted', async () => {
  const desk = ask('text');
  await desk.ready();
  desk.keys.press('line one\rline two\rline three\r');
  expect(await desk.line).toBe('line one\nline two\nline three');
});
