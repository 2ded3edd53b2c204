import type { AgentStreamEvent, EventOf, EventType } from '@tailrace/core';
import { expect, test } from 'vitest';
import { createLastText } from './last-text.ts';

type Draft = { [T in EventType]: Omit<EventOf<T>, 'seq'> }[EventType];

function lastOf(...events: readonly Draft[]): string | null {
  const fold = createLastText();
  // Only the number is added.
  for (const [seq, event] of events.entries()) fold.add({ ...event, seq } as AgentStreamEvent);
  return fold.last();
}

const text = (blockId: string, words: string, more: object = {}): Draft => ({
  type: 'text-end',
  messageId: `m-${blockId}`,
  blockId,
  text: words,
  ...more,
});

test('it is the last text of the main thread, on one line', () => {
  expect(lastOf()).toBeNull();
  expect(lastOf(text('a', 'First.'), text('b', 'Second,\n\n  and more.'))).toBe('Second, and more.');
  expect(lastOf(text('a', 'Mine.'), text('b', 'Of another.', { subagentId: 'task' }))).toBe('Mine.');
  expect(lastOf(text('a', 'Mine.'), text('b', ' \n'))).toBe('Mine.');
});

test('it has at most 200 characters, and none is cut in two', () => {
  expect(lastOf(text('a', '😀'.repeat(200)))).toBe('😀'.repeat(200));
  expect(lastOf(text('a', '😀'.repeat(201)))).toBe(`${'😀'.repeat(199)}…`);
});

test('what is being said does not count yet, and what was taken back does not count any more', () => {
  const open: Draft = { type: 'text-start', messageId: 'm-c', blockId: 'c' };
  expect(lastOf(text('a', 'First.'), open)).toBe('First.');
  expect(
    lastOf(text('a', 'First.'), text('b', 'No.'), { type: 'message-retract', reason: 'fallback', blockIds: ['b'] }),
  ).toBe('First.');
  expect(
    lastOf(text('a', 'First.'), text('b', 'No.'), { type: 'message-retract', reason: 'fallback', messageIds: ['m-b'] }),
  ).toBe('First.');
});

test('what comes late from another file is not the last', () => {
  expect(lastOf(text('b', 'Now.', { time: 2 }), text('a', 'Long ago.', { time: 1 }))).toBe('Now.');
});

test('a stream that shows no text has its result', () => {
  const end: Draft = { type: 'turn-end', turnId: 't', outcome: 'success', result: 'Done.' };
  expect(lastOf(end)).toBe('Done.');
  expect(lastOf(text('a', 'Shown.'), end)).toBe('Shown.');
});
