// @vitest-environment happy-dom

import { hiddenIn } from '@tailrace/core';
import { cleanup, render } from '@testing-library/react';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { PlainText } from './plain-text.tsx';

afterEach(cleanup);

/** What is shown beside the marks. */
function seenIn(container: HTMLElement): string {
  const copy = container.cloneNode(true);
  if (!(copy instanceof HTMLElement)) throw new Error('no element');
  for (const mark of copy.querySelectorAll('mark')) mark.remove();
  return copy.textContent ?? '';
}

const hostile = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.constantFrom(
        '\u202e',
        '\u2066',
        '\u200b',
        '\u{e0041}',
        '\ud800',
        '\u0000',
        '\u001b',
        '\r',
        '\n',
        '<b>',
        '&lt;',
      ),
    ),
  )
  .map((parts) => parts.join(''));

test('[T-19] what can be seen is shown as it is, and whatever hides is a mark', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const { container, unmount } = render(<PlainText text={text} isBlock />);
      const pieces = hiddenIn(text);
      const visible = pieces.filter(({ isHidden }) => !isHidden).map((piece) => piece.text);
      expect(seenIn(container)).toBe(visible.join(''));
      expect(container.querySelectorAll('mark')).toHaveLength(pieces.length - visible.length);
      unmount();
    }),
  );
});

test.each([
  ['\u202e', 'U+202E right-to-left override'],
  ['\u200b', 'U+200B zero width space'],
  ['\u{e0041}', 'U+E0041 tag character'],
  ['\u001b', 'U+001B escape'],
  ['\u0003', 'U+0003 control character'],
  ['\ufeff', 'U+FEFF byte order mark'],
])('a mark says what it stands for', (character, title) => {
  const { container } = render(<PlainText text={`rm ${character}x`} />);
  const mark = container.querySelector('mark');
  expect(mark?.title).toBe(title);
  expect(mark?.textContent).toBe(title.split(' ')[0]);
});

test('on one line a line break is a mark: nothing pretends to be a line of ours', () => {
  const { container } = render(<PlainText text={'ls\nrm -rf /'} />);
  expect(container.querySelector('mark')?.title).toBe('line break');
  expect(container.textContent).toBe('ls↵rm -rf /');
});

test('a million hidden characters are written out instead of a million marks', () => {
  const { container } = render(<PlainText text={'\u200b'.repeat(100_000)} isBlock />);
  expect(container.querySelectorAll('mark')).toHaveLength(0);
  expect(container.textContent).toBe('\\u{200b}'.repeat(100_000));
});
