import type { AgentStreamEvent } from '@tailrace/core';
import { expect, test } from 'vitest';
import { placeOf, shownCuts, wholeString } from './whole-string.ts';

const ref = '/api/sessions/a%20b/lines/7';
const cut = { path: ['content', 0, 'text'], bytes: 6, ref };
const end = (text: string): { readonly event: AgentStreamEvent } => ({
  event: {
    type: 'tool-call-end',
    seq: 1,
    toolCallId: '1',
    toolName: 'x',
    outcome: 'success',
    content: [{ type: 'text', text }],
  },
});

test('a reference tells whose line it is and where it stands', () => {
  expect(placeOf(cut)).toEqual({ sessionId: 'a b', position: 7 });
  expect(placeOf({ ...cut, ref: 'https://evil.example/lines/7' })).toBeUndefined();
});

test('of several results in one line the one of that length is taken', () => {
  expect(wholeString([end('other'), end('größe')], { ...cut, bytes: 7 })).toBe('größe');
  expect(wholeString([{ event: { type: 'turn-start', seq: 1, turnId: 't' } }], cut)).toBeUndefined();
});

test('what the card does not show is not offered', () => {
  const output = { ...cut, path: ['output', 'stdout'] };
  expect(shownCuts([output, cut, { ...cut, path: ['error', 'message'] }])).toEqual([cut]);
  expect(shownCuts([output])).toEqual([output]);
});
