import { describe, expect, test } from 'vitest';
import { recordedSession } from '../../../test/history/captures.ts';
import { append, inPlace, type Opened } from '../../../test/history/place.ts';
import type { NewLine } from '../../contract.ts';

const RUN = { kind: 'run', agent: 'claude' } as const;
const { streams } = recordedSession('subagents-two');
const lines = streams[0]?.lines ?? [];
const TRUTH = { turns: 1, usage: { inputTokens: 10764, outputTokens: 292 }, costState: 'reconciled' };

async function expectTruth(opened: Opened): Promise<void> {
  await opened.history.catchUp();
  const [row, ...others] = await opened.history.sessions();
  expect(others).toEqual([]);
  expect(row).toMatchObject(TRUTH);
  expect(row?.costUsd).toBeCloseTo(0.0365768, 9);
  const entries = await opened.history.usage();
  expect(entries.reduce((sum, { inputTokens }) => sum + inputTokens, 0)).toBe(10764);
  expect(entries.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)).toBeCloseTo(0.0365768, 9);
}

/** The last line without its end, as a pipe leaves it that broke. */
function cutOff(all: readonly NewLine[], count: number): readonly NewLine[] {
  const last = all[count];
  return last ? [...all.slice(0, count), { ...last, bytes: last.bytes.subarray(0, 20) }] : all;
}

describe('a run that was recorded twice', () => {
  test.each([
    ['the same', lines, lines],
    ['the beginning first', lines.slice(0, 5), lines],
    ['the beginning second', lines, lines.slice(0, 5)],
    ['cut off first', cutOff(lines, 4), lines],
    ['cut off second', lines, cutOff(lines, 4)],
  ])('counts once: %s', async (_, first, second) => {
    await inPlace(async (place) => {
      const opened = await place.open();
      await append(opened, 'a', RUN, first);
      await opened.history.catchUp();
      await append(opened, 'b', RUN, second);
      await expectTruth(opened);
      for (const stream of streams.slice(1)) await append(opened, stream.name, stream.facts, stream.lines);
      await expectTruth(opened);
      await opened.history.rebuild();
      await expectTruth(opened);
    });
  });

  test('counts once while the second grows, and both count from where they part', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      await append(opened, 'a', RUN, lines.slice(0, 8));
      for (const line of lines) {
        await append(opened, 'b', RUN, [line]);
        await opened.history.catchUp();
        expect((await opened.history.sessions()).length).toBe(1);
      }
      await expectTruth(opened);
      const [first] = await opened.history.sessions();
      expect(first?.lines).toBe(lines.length);
      await append(opened, 'a', RUN, lines.slice(9, 10));
      await opened.history.catchUp();
      expect((await opened.history.sessions())[0]?.lines).toBe(lines.length + 9);
    });
  });

  test('another run counts, and one that printed nothing is no copy', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      for (const name of ['resume-fork.run1', 'resume-fork.run2']) {
        const run = recordedSession(name).streams[0];
        await append(opened, name, RUN, run?.lines ?? []);
      }
      const note = { at: 1, source: 'stderr', bytes: Buffer.from('not found\n') } as const;
      const sessionId = '11111111-2222-4333-8444-555555555555';
      for (const name of ['silent', 'silent too']) await append(opened, name, { ...RUN, sessionId }, [note]);
      await opened.history.catchUp();
      const [row] = await opened.history.sessions();
      expect(row).toMatchObject({ id: sessionId, turns: 2, usage: { inputTokens: 1160 } });
      const all = ['resume-fork.run1', 'resume-fork.run2'].flatMap(
        (name) => recordedSession(name).streams[0]?.lines ?? [],
      );
      expect(row?.lines).toBe(all.length + 2);
    });
  });
});
