// What is kept in memory is what would be read, whatever changes between two questions.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordedSession } from '../../test/history/captures.ts';
import { append, inPlace } from '../../test/history/place.ts';
import type { NewLine, SessionUsage, StreamFacts, UsageEntry } from '../contract.ts';
import { forgetHistory } from '../sqlite/history/forget-history.ts';
import { write } from '../sqlite/transaction.ts';
import { createUsageBook } from './book.ts';
import { countOnce } from './count-once.ts';
import { joinUsage } from './join.ts';

const SESSIONS = ['a', 'b', 'c', 'd'];

const answer = fc.record({
  id: fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8', '9'),
  at: fc.nat(50),
  outputTokens: fc.integer({ min: 1, max: 9 }),
  messages: fc.constantFrom(1, 1, 1, 0),
  costUsd: fc.option(fc.integer({ min: 1, max: 9 })),
});
const session = fc.array(answer, { maxLength: 5 });
const change = fc.record({ id: fc.constantFrom(...SESSIONS), answers: session, isOfFiles: fc.boolean() });

type Answers = typeof session extends fc.Arbitrary<infer T> ? T : never;

function entriesOf(sessionId: string, answers: Answers): readonly UsageEntry[] {
  return answers.map((one) => ({
    ...one,
    sessionId,
    subagentId: null,
    model: 'm',
    project: null,
    inputTokens: 1,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    cacheWrite1hTokens: 0,
  }));
}

test('after any changes the book has what a reader of everything has, in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      const stored = new Map<string, readonly UsageEntry[]>();
      const filed = new Map<string, readonly UsageEntry[]>();
      const versions = new Map<string, string>();
      const book = createUsageBook({
        async usageOfSessions(known): Promise<SessionUsage> {
          const isNew = ([id]: readonly [string, unknown]): boolean => known.get(id) !== versions.get(id);
          return { versions: new Map(versions), changed: new Map([...stored].filter(isNew)) };
        },
        usageNames: async () => () => [],
      });
      let files: readonly UsageEntry[] = [];
      for (const [index, { id, answers, isOfFiles }] of changes.entries()) {
        const entries = entriesOf(id, answers);
        if (isOfFiles) {
          filed.set(id, entries);
          files = countOnce([...filed.values()]);
        } else if (entries.length === 0) {
          stored.delete(id);
          versions.delete(id);
        } else {
          stored.set(id, entries);
          versions.set(id, String(index));
        }
        expect(await book.entries(files)).toEqual(joinUsage(files, countOnce([...stored.values()])));
      }
    }),
  );
});

interface Given {
  readonly name: string;
  readonly facts: StreamFacts;
  readonly lines: readonly NewLine[];
}

test('a session and its fork, as they come and go in a store', async () => {
  await inPlace(async (place) => {
    const opened = await place.open();
    const book = createUsageBook(opened.history);
    expect(await book.entries([])).toEqual([]);
    for (const number of [1, 2, 3]) {
      const { name, facts, lines } = recordedSession(`resume-fork.run${number}`).streams[0] as Given;
      await append(opened, name, facts, lines);
      await opened.history.catchUp();
      const entries = await book.entries([]);
      expect(entries).toEqual(joinUsage([], await opened.history.usage()));
      expect(await book.entries([])).toBe(entries);
    }
    await write(opened.connection, () => forgetHistory(opened.connection, '11111111-2222-4333-8444-555555555555'));
    await opened.history.catchUp();
    expect(await book.entries([])).toEqual(joinUsage([], await opened.history.usage()));
  });
});

test('names of agents, sub-agents and tools come from the store', async () => {
  await inPlace(async (place) => {
    const opened = await place.open();
    for (const { name, facts, lines } of recordedSession('subagent').streams as readonly Given[])
      await append(opened, name, facts, lines);
    await opened.history.catchUp();
    const book = createUsageBook(opened.history);
    const entries = await book.entries([]);
    const named = async (by: 'agent' | 'subagent' | 'tool'): Promise<ReadonlySet<string>> => {
      const names = await book.names(by);
      return new Set(entries.flatMap((entry) => names(entry)));
    };
    expect(await named('agent')).toEqual(new Set(['claude']));
    expect(await named('subagent')).toContain('main');
    expect((await named('subagent')).size).toBeGreaterThan(1);
    const tools = await named('tool');
    expect(tools).toContain('none');
    const calls = await opened.history.calls(entries[0]?.sessionId ?? '');
    for (const { name } of calls) expect(tools).toContain(name);
  });
});
