// @vitest-environment happy-dom

import { cleanup, render } from '@testing-library/react';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { readFindSearch, sinceOf } from './find-search.ts';
import { piecesOf, Snippet } from './snippet.tsx';

afterEach(cleanup);

test('whatever the ranges say, all of the text is there once', () => {
  const range = fc.tuple(fc.nat(40), fc.nat(40));
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), fc.array(range, { maxLength: 6 }), (text, ranges) => {
      expect(
        piecesOf(text, ranges)
          .map(({ piece }) => piece)
          .join(''),
      ).toBe(text);
    }),
  );
});

test('what was looked for stands out, and hidden characters are marks', () => {
  const { container } = render(<Snippet text={'rm \u202e<b>build</b>'} ranges={[[7, 12]]} />);
  expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['U+202E', 'build']);
  expect(container.querySelector('b')).toBeNull();
});

test('a secret is not shown, also where it was looked for', () => {
  const secret = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;
  const { container } = render(<Snippet text={`token ${secret} here`} ranges={[[6, 20]]} />);
  expect(container.textContent).not.toContain(secret.slice(0, 14));
  expect(container.querySelector('mark')).toBeNull();
});

test('an address says where to search; what makes no sense is left out', () => {
  expect(readFindSearch({ words: 42, kind: 'path', session: 's', within: 'week' })).toEqual({
    words: '42',
    kind: 'path',
    session: 's',
    within: 'week',
  });
  expect(readFindSearch({ words: '', kind: 'odd', session: {}, within: 'ever' })).toEqual({});
});

test('a period begins with a day', () => {
  const now = new Date(2026, 10, 16, 15, 30).getTime();
  expect(sinceOf('week', now)).toBe(new Date(2026, 10, 9).getTime());
  expect(sinceOf(undefined, now)).toBeUndefined();
});
