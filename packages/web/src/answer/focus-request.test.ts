// @vitest-environment happy-dom

import { expect, test } from 'vitest';
import { focusedRequest, focusNextRequest, focusRequest } from './focus-request.ts';

test('from a card on to the next that waits, and around', () => {
  expect(focusNextRequest()).toBe(false);
  document.body.innerHTML = ['a', 'b', 'c']
    .map((id) => `<article data-request="${id}" tabindex="-1"><button>Deny</button></article>`)
    .join('');
  const pressed = [1, 2, 3, 4].map(() => focusNextRequest() && focusedRequest());
  expect(pressed).toEqual(['a', 'b', 'c', 'a']);
  document.querySelectorAll('button')[1]?.focus();
  expect(focusedRequest()).toBe('b');
  focusNextRequest();
  expect(focusedRequest()).toBe('c');
  expect([focusRequest('b'), focusedRequest(), focusRequest('gone')]).toEqual([true, 'b', false]);
});
