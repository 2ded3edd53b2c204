import { createDecoder, createSummary, type Summary } from '@tailrace/core';
import { describe, expect, test } from 'vitest';
import { recordedRuns, recordedSession, recordedSessions } from '../../../test/history/captures.ts';
import { append, inPlace, type Opened } from '../../../test/history/place.ts';
import type { NewLine, StreamFacts } from '../../contract.ts';
import { write } from '../transaction.ts';
import { forgetHistory } from './forget-history.ts';

const ORIGINAL = '11111111-2222-4333-8444-555555555555';
const FORK = '87ef6f6c-a9e0-497e-a937-fd6682b623d5';

interface Given {
  readonly name: string;
  readonly facts: StreamFacts;
  readonly lines: readonly NewLine[];
}

const runs = [1, 2, 3].map((number) => recordedSession(`resume-fork.run${number}`).streams[0] as Given);
const files = recordedSession('resume-fork.run3').streams.slice(1) as readonly Given[];
const [run1, run2, run3] = runs as [Given, Given, Given];
const [file, forked] = files as [Given, Given];

function summaryOf(lines: readonly NewLine[]): Summary {
  const decoder = createDecoder();
  const summary = createSummary();
  for (const { bytes } of lines) for (const event of decoder.feed(bytes)) summary.add(event);
  for (const event of decoder.end()) summary.add(event);
  return summary.summary(decoder.stats.lines);
}

async function figuresOf(opened: Opened, id: string): Promise<readonly (number | null | undefined)[]> {
  const row = await opened.history.session(id);
  const { summary } = row ?? {};
  expect(summary?.usage).toEqual(row?.usage);
  expect(summary?.costUsd).toEqual(row?.costUsd);
  const models = Object.values(summary?.models ?? {});
  expect(models.reduce((sum, { inputTokens }) => sum + (inputTokens ?? 0), 0)).toBe(row?.usage.inputTokens);
  const cost = row?.costUsd;
  return [row?.usage.inputTokens, row?.usage.outputTokens, cost && Number(cost.toFixed(9))];
}

async function totalOf(opened: Opened): Promise<readonly number[]> {
  const entries = await opened.history.usage();
  const sum = (count: (entry: (typeof entries)[number]) => number): number =>
    Number(entries.reduce((total, entry) => total + count(entry), 0).toFixed(9));
  return [sum((one) => one.inputTokens), sum((one) => one.outputTokens), sum((one) => one.costUsd ?? 0)];
}

async function expectTruth(opened: Opened): Promise<void> {
  expect(await totalOf(opened)).toEqual([1622, 43, 0.003875]);
  expect(await figuresOf(opened, FORK)).toEqual([462, 9, 0.000597]);
  expect(await figuresOf(opened, ORIGINAL)).toEqual([1160, 34, 0.003278]);
}

describe('a fork has only what is its own, and the sessions add up to the bill', () => {
  test.each<[string, readonly Given[]]>([
    ['runs, then files', [...runs, file, forked]],
    ['files, then runs', [file, forked, ...runs]],
    ['files alone', [file, forked]],
    ['the fork’s file first', [forked, file]],
    ['the fork first, with its run', [run3, forked, run2, run1]],
    ['runs, and the fork’s file', [run1, run2, forked]],
    ['the fork’s file, and runs', [forked, run2, run1]],
    ['mixed', [forked, run1, run3, file, run2]],
    ['runs alone', runs],
  ])('%s', async (_, streams) => {
    await inPlace(async (place) => {
      const opened = await place.open();
      for (const { name, facts, lines } of streams) {
        await append(opened, name, facts, lines);
        await opened.history.catchUp();
      }
      await expectTruth(opened);
      await opened.history.rebuild();
      await expectTruth(opened);
    });
    await inPlace(async (place) => {
      const opened = await place.open();
      for (const { name, facts, lines } of streams) await append(opened, name, facts, lines);
      await opened.history.catchUp();
      await expectTruth(opened);
    });
  });

  test('every recorded session has in the list what it has in the bill', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      for (const { name, facts, lines } of recordedSessions.flatMap(({ streams }) => streams))
        await append(opened, name, facts, lines);
      await opened.history.catchUp();
      const entries = await opened.history.usage();
      for (const { id, usage, costUsd, costState } of await opened.history.sessions()) {
        const own = entries.filter(({ sessionId }) => sessionId === id);
        expect(usage.inputTokens ?? 0, id).toBe(own.reduce((sum, { inputTokens }) => sum + inputTokens, 0));
        expect(usage.outputTokens ?? 0, id).toBe(own.reduce((sum, { outputTokens }) => sum + outputTokens, 0));
        if (costState !== 'reconciled') continue;
        const cost = own.reduce((sum, one) => sum + (one.costUsd ?? 0), 0);
        expect(costUsd, id).toBeCloseTo(cost, 9);
      }
    });
  });

  test.each([
    ['grok', '1.0.41'],
    ['pi', '0.87.1'],
  ])(
    '%s counts its answers from one in each session, and each session keeps what is its own',
    async (agent, version) => {
      const captures = recordedRuns(agent, version);
      const alone = new Map<string, Summary>();
      for (const { lines } of captures) {
        const summary = summaryOf(lines);
        if (summary.sessionId !== null) alone.set(summary.sessionId, summary);
      }
      await inPlace(async (place) => {
        const opened = await place.open();
        for (const { name, facts, lines } of captures) await append(opened, name, facts, lines);
        await opened.history.catchUp();
        const sessions = (await opened.history.sessions()).filter(({ id }) => alone.has(id));
        expect(sessions.length).toBeGreaterThan(10);
        for (const { id, usage } of sessions) {
          expect(usage.inputTokens, id).toBe(alone.get(id)?.usage.inputTokens);
          expect(usage.outputTokens, id).toBe(alone.get(id)?.usage.outputTokens);
        }
      });
    },
  );

  test('it has everything again when the other is forgotten', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      for (const { name, facts, lines } of files) await append(opened, name, facts, lines);
      await opened.history.catchUp();
      await expectTruth(opened);
      const { raw } = opened.connection;
      await write(opened.connection, () => {
        raw.prepare('DELETE FROM lines WHERE stream IN (SELECT id FROM streams WHERE session = ?)').run(ORIGINAL);
        raw.prepare('DELETE FROM streams WHERE session = ?').run(ORIGINAL);
        forgetHistory(opened.connection, ORIGINAL);
      });
      await opened.history.catchUp();
      expect(await figuresOf(opened, FORK)).toEqual([1622, 43, 0.003875]);
      expect(await totalOf(opened)).toEqual([1622, 43, 0.003875]);
    });
  });
});
