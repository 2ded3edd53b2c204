import { expect, test } from 'vitest';
import { conversationOf, recorded } from '../../test/session-events.ts';
import { findPart } from './part-path.ts';
import { findParts, textOf } from './part-text.ts';

const conversation = conversationOf(recorded('demo'));

test('words are found in texts, in commands and in what they printed, whatever their case', () => {
  const hits = findParts(conversation, 'EXPECTED 10');
  expect(hits.length).toBeGreaterThan(0);
  for (const id of hits) {
    const part = findPart(conversation, id);
    expect(part && textOf(part).toLowerCase()).toContain('expected 10');
  }
  expect(findParts(conversation, 'cart.test.mjs').some((id) => id.startsWith('call:'))).toBe(true);
});

test('hits are in the order of the session', () => {
  const order = new Map(conversation.parts.flat().map(({ id }, index) => [id, index]));
  const places = findParts(conversation, 'e').map((id) => order.get(id) ?? -1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('nothing is looked for until something is typed', () => {
  expect(findParts(conversation, '  ')).toEqual([]);
});

test('every part has words or none, and none of them throws', () => {
  for (const part of conversation.parts.flat()) expect(typeof textOf(part)).toBe('string');
});
