import type { Part } from '@tailrace/core';
import { expect, test } from 'vitest';
import { isFoldable, opensItself } from './folding.ts';

const base = { id: '1', order: [0, 0, 0, 0] } as const;
const call = { ...base, type: 'call', toolCallId: '1', name: 'x', kind: 'execute' } as const;

test.each<readonly [string, Part, boolean, boolean]>([
  ['text is always open', { ...base, type: 'text', text: 'a' }, false, true],
  ['reasoning is folded', { ...base, type: 'reasoning', text: 'a' }, true, false],
  ['reasoning without words has nothing to open', { ...base, type: 'reasoning', text: '' }, false, true],
  ['a call that went well is folded', { ...call, status: 'completed' }, true, false],
  ['a call that failed opens itself', { ...call, status: 'failed' }, true, true],
  ['what the person typed is open', { ...base, type: 'prompt', origin: 'prompt', content: [] }, false, true],
  ['what the agent put in is folded', { ...base, type: 'prompt', origin: 'injected', content: [] }, true, false],
  ['a plan is open, and can be folded', { ...base, type: 'plan', plan: { text: 'a' } }, true, true],
  ['a short line stands in its row', { ...base, type: 'raw', reason: 'not_json', text: 'hello' }, false, true],
  ['a line of an unknown kind is folded', { ...base, type: 'raw', reason: 'unknown_type', value: {} }, true, false],
])('%s', (_, part, folds, opens) => {
  expect([isFoldable(part), opensItself(part)]).toEqual([folds, opens]);
});
