import { type Conversation, createConversation, type Part, partsOf, type RawReason, reduce } from '@tailrace/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyEvents, conversationOf, recorded } from '../../test/session-events.ts';
import { createRows, type Row, type ThreadFolds } from './rows.ts';
import { countShown } from './threads.ts';

const folded: ThreadFolds = new Map();
const anyFolds = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.boolean()))
  .map((pairs): ThreadFolds => new Map(pairs));

const rowsOf = (conversation: Conversation, folds: ThreadFolds): readonly Row[] =>
  createRows()(conversation, folds).rows;
const allOpen = (conversation: Conversation): ThreadFolds =>
  new Map(conversation.parts.flat().map(({ subagentId = '' }) => [subagentId, true]));
/** What could not be read is seen, whatever else is hidden. */
const isShown = (part: Part): boolean =>
  part.retracted === undefined && (!part.hidden || (part.type === 'raw' && part.reason !== 'no_counterpart'));
const shownIds = (conversation: Conversation): readonly string[] =>
  conversation.parts
    .flat()
    .filter(isShown)
    .map((part) => part.id);
const partRows = (rows: readonly Row[]) => rows.flatMap((row) => (row.kind === 'part' ? [row] : []));

describe('with all threads open', () => {
  test('each part is shown once, and each thread in its own order', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const conversation = conversationOf(events);
        const parts = partRows(rowsOf(conversation, allOpen(conversation)));
        expect(parts.map(({ key }) => key).sort()).toEqual([...shownIds(conversation)].sort());
        expect(countShown(conversation)).toBe(parts.length);
        for (const thread of new Set(parts.map(({ part }) => part.subagentId)))
          expect(parts.filter(({ part }) => part.subagentId === thread).map(({ part }) => part)).toEqual(
            partsOf(conversation, thread, { all: true }).filter(isShown),
          );
      }),
      { numRuns: 500 },
    );
  });

  test('a thread stands one deeper than the row that opens it, and right below it', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const conversation = conversationOf(events);
        const rows = rowsOf(conversation, allOpen(conversation));
        rows.forEach((row, index) => {
          if (row.kind !== 'thread') return;
          const first = rows[index + 1];
          expect(first?.kind === 'part' && first.part.subagentId).toBe(row.threadId);
          expect(first?.depth).toBe(row.depth + 1);
        });
        const depths = rows.map(({ depth }) => depth);
        expect(depths.every((depth, at) => depth - (depths[at - 1] ?? 0) <= 1)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

test('what is made step by step is what is made at once, whatever is folded meanwhile', () => {
  fc.assert(
    fc.property(anyEvents, fc.array(anyFolds, { maxLength: 4 }), (events, changes) => {
      const makeRows = createRows();
      let conversation = createConversation();
      let folds = folded;
      events.forEach((event, index) => {
        conversation = reduce(conversation, event);
        folds = changes[index % 7] ?? folds;
        expect(makeRows(conversation, folds).rows).toEqual(rowsOf(conversation, folds));
      });
    }),
    { numRuns: 500 },
  );
});

test('the version of the keys is another one whenever a row before the end has another key', () => {
  fc.assert(
    fc.property(anyEvents, anyFolds, (events, folds) => {
      const makeRows = createRows();
      let conversation = createConversation();
      let last = makeRows(conversation, folds);
      for (const event of events) {
        conversation = reduce(conversation, event);
        const next = makeRows(conversation, folds);
        const isAppended = last.rows.every(({ key }, at) => next.rows[at]?.key === key);
        expect(next.keysVersion === last.keysVersion).toBe(isAppended);
        last = next;
      }
    }),
    { numRuns: 300 },
  );
});

describe('a recorded session', () => {
  test('threads of sub-agents that have ended are folded, with what is in them inside', () => {
    const conversation = conversationOf(recorded('subagent-nested-three'));
    const rows = rowsOf(conversation, folded);
    expect(rows.filter((row) => row.kind === 'thread').map((row) => row.kind === 'thread' && row.isOpen)).toEqual([
      false,
    ]);
    expect(partRows(rows).map(({ part }) => part)).toEqual(partsOf(conversation));
  });

  test('the thread of a sub-agent is open while it works', () => {
    const events = recorded('subagents-two');
    const end = events.findIndex(({ type }) => type === 'task-end');
    const open = rowsOf(conversationOf(events.slice(0, end)), folded).filter(
      (row) => row.kind === 'thread' && row.isOpen,
    );
    expect(open).toHaveLength(2);
  });

  test('three threads within each other are three deep', () => {
    const conversation = conversationOf(recorded('subagent-nested-three'));
    const depths = rowsOf(conversation, allOpen(conversation)).map(({ depth }) => depth);
    expect(Math.max(...depths)).toBe(3);
  });
});

test('rows that did not change are the same objects when a word is added', () => {
  const events = recorded('demo');
  const makeRows = createRows();
  const before = makeRows(conversationOf(events.slice(0, 80)), folded).rows;
  const { rows: after } = makeRows(conversationOf(events.slice(0, 80)), folded);
  expect(after.length).toBeGreaterThan(5);
  // Two conversations of the same events share no part, so nothing of the first may be shown for the second.
  expect(after.some((row) => before.includes(row))).toBe(false);
  let conversation = conversationOf(events.slice(0, 80));
  const grow = createRows();
  const first = grow(conversation, folded).rows;
  for (const event of events.slice(80, 84)) conversation = reduce(conversation, event);
  const second = grow(conversation, folded).rows;
  expect(first.filter((row) => second.includes(row)).length).toBeGreaterThan(first.length - 4);
});

test('a line that was cut off, and one of an unknown kind, are rows at their place', () => {
  const raw = (seq: number, reason: RawReason) => ({ type: 'raw', seq, reason, text: '{"type":' }) as const;
  const conversation = [raw(0, 'cut_off'), raw(1, 'unknown_type'), raw(2, 'no_counterpart')].reduce(
    reduce,
    createConversation(),
  );
  expect(partRows(rowsOf(conversation, folded)).map(({ part }) => 'reason' in part && part.reason)).toEqual([
    'cut_off',
    'unknown_type',
  ]);
});
