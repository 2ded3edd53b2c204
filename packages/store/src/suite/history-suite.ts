// What is asked of every history, whatever it is built on. Knows no test runner: `test` takes a name and a function that throws.

import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { History, LineRecord, Metadata, NewLine, StreamFacts } from '../contract.ts';
import { segmentsOf } from '../project/tokens.ts';
import { tryHistorySchedule } from './history-schedule.ts';
import { metadataCases } from './metadata-cases.ts';
import { eventsOf, snapshotOf } from './snapshot.ts';

/** A store that can be opened several times at once, as several processes would. */
export interface HistoryPlace {
  open(): Promise<OpenHistory>;
  /** Takes everything away. */
  remove(): Promise<void>;
}

export interface OpenHistory {
  readonly record: LineRecord;
  readonly history: History;
  readonly metadata: Metadata;
  close(): Promise<void>;
}

export interface SuiteStream {
  readonly name: string;
  readonly facts: StreamFacts;
  readonly lines: readonly NewLine[];
}

/** A recorded session: what its run printed, and its files. */
export interface SuiteSession {
  readonly name: string;
  readonly streams: readonly SuiteStream[];
}

export interface HistorySuiteOptions {
  readonly test: (name: string, run: () => Promise<void>) => void;
  readonly make: () => Promise<HistoryPlace>;
  readonly sessions: readonly SuiteSession[];
  /** How many random schedules are tried, and the seed of the first. */
  readonly schedules?: number | undefined;
  readonly seed?: number | undefined;
}

/** Registers the suite with a test runner. */
export function describeHistory(options: HistorySuiteOptions): void {
  const { test, make, sessions, schedules = 20, seed = Date.now() % 1_000_000 } = options;
  for (const [name, run] of Object.entries(cases))
    test(name, () => inPlace(make, (place) => run(place, sessions, make)));
  for (const [name, run] of Object.entries(metadataCases)) {
    test(name, () => inPlace(make, (place) => withOpen(place, ({ metadata }) => run(metadata))));
  }
  test('random batches and restarts give the same rows as one rebuild', async () => {
    for (let round = 0; round < schedules; round++) {
      await inPlace(make, (place) => tryHistorySchedule(place, sessions, seed + round));
    }
  });
}

type Case = (
  place: HistoryPlace,
  sessions: readonly SuiteSession[],
  make: () => Promise<HistoryPlace>,
) => Promise<void>;

const cases: Readonly<Record<string, Case>> = {
  'a run and its files are one session with one bill, whichever is committed first': async (place, sessions, make) => {
    const forward = await withOpen(place, (open) => billsOf(open, sessions));
    const backward = sessions.map(({ name, streams }) => ({ name, streams: [...streams].reverse() }));
    await inPlace(make, async (other) => {
      deepStrictEqual(await withOpen(other, (open) => billsOf(open, backward)), forward);
    });
  },

  'what is asked for twice is done once': (place, sessions) =>
    withOpen(place, async ({ record, history }) => {
      const lines = await appendAll(record, sessions.slice(0, 5));
      const first = await history.catchUp();
      strictEqual(first.lines, lines);
      deepStrictEqual(await history.catchUp(), { lines: 0, sessions: 0, behind: 0 });
    }),

  'two at once do the work once': (place, sessions) =>
    withOpen(place, (one) =>
      withOpen(place, async (other) => {
        const lines = await appendAll(one.record, sessions.slice(0, 20));
        const both = await Promise.all([one.history.catchUp(), other.history.catchUp()]);
        strictEqual(both[0].lines + both[1].lines, lines);
        deepStrictEqual(await snapshotOf(one.history), await snapshotOf(other.history));
        strictEqual(both[0].behind + both[1].behind, 0);
      }),
    ),

  'it stops when it is told to, and goes on later': (place, sessions) =>
    withOpen(place, async ({ record, history }) => {
      const lines = await appendAll(record, sessions.slice(0, 20));
      const control = new AbortController();
      control.abort();
      const stopped = await history.catchUp({ signal: control.signal });
      ok(stopped.lines < lines);
      ok(stopped.behind > 0);
      const calls: number[] = [];
      await history.catchUp({ onProgress: (done, all) => calls.push(done / all) });
      strictEqual(calls.at(-1), 1);
      const before = await snapshotOf(history);
      await history.rebuild();
      deepStrictEqual(await snapshotOf(history), before);
    }),

  'events come in the order of the record, and behind any position': (place, sessions) =>
    withOpen(place, async ({ record, history }) => {
      await appendAll(record, sessions.slice(0, 12));
      await history.catchUp();
      for (const { id } of await history.sessions()) {
        const all = await eventsOf(history, id, 0);
        ok(all.every(({ position }, index) => index === 0 || position > (all[index - 1]?.position ?? 0)));
        const seqs = all.flatMap(({ events }) => events.map(({ seq }) => seq));
        deepStrictEqual(seqs, [...seqs.keys()]);
        const middle = all[Math.floor(all.length / 2)]?.position ?? 0;
        deepStrictEqual(
          await eventsOf(history, id, middle),
          all.filter(({ position }) => position > middle),
        );
      }
    }),

  'the last lines that have so many events are the last of all of them': (place, sessions) =>
    withOpen(place, async ({ record, history }) => {
      await appendAll(record, sessions.slice(0, 12));
      await history.catchUp();
      deepStrictEqual(await history.lastEvents('nobody', 3), []);
      for (const { id } of await history.sessions()) {
        const all = await eventsOf(history, id, 0);
        const eventCount = (lines: typeof all): number =>
          lines.reduce((sum, { position, events }) => sum + (Number.isInteger(position) ? events.length : 0), 0);
        for (const count of [1, 2, 7, 100, eventCount(all), eventCount(all) + 1]) {
          const last = await history.lastEvents(id, count);
          deepStrictEqual(last, all.slice(all.length - last.length));
          ok(eventCount(last) >= Math.min(count, eventCount(all)));
          ok(eventCount(last.slice(1)) < count);
        }
      }
    }),

  'names, stars and tags stay when everything is made anew': (place, sessions) =>
    withOpen(place, async ({ record, history }) => {
      await appendAll(record, sessions.slice(0, 3));
      await history.catchUp();
      const [session] = await history.sessions();
      const id = session?.id ?? '';
      await history.label(id, { name: 'Quokka parade', starred: true, addTags: ['b', 'a', ' a '] });
      await history.rebuild();
      const labelled = await history.session(id);
      strictEqual(labelled?.title, 'Quokka parade');
      strictEqual(labelled.starred, true);
      deepStrictEqual(labelled.tags, ['a', 'b']);
      deepStrictEqual(
        (await history.sessions({ tag: 'a' })).map((one) => one.id),
        [id],
      );
      deepStrictEqual(
        (await history.sessions({ starred: true })).map((one) => one.id),
        [id],
      );
      deepStrictEqual(
        (await history.search('quokka par')).map((hit) => hit.sessionId),
        [id],
      );
      await history.label(id, { name: null, starred: false, removeTags: ['a', 'b'] });
      strictEqual((await history.session(id))?.title, session?.title);
      deepStrictEqual(await history.sessions({ tag: 'a' }), []);
      deepStrictEqual(await history.search('quokka'), []);
    }),

  'a session is running while one of its streams has a writer': (place, sessions) =>
    withOpen(place, async ({ record, history }) => {
      const [session] = sessions;
      const [stream] = session?.streams ?? [];
      ok(stream);
      const lease = await record.claim(stream.name, stream.facts);
      await record.append(stream.name, 1, stream.lines);
      await history.catchUp();
      deepStrictEqual(
        (await history.sessions()).map(({ status }) => status),
        ['running'],
      );
      const [{ id } = { id: '' }] = await history.sessions();
      const isOver = async (): Promise<boolean> =>
        (await eventsOf(history, id, 0)).some(({ events }) => events.some(({ type }) => type === 'session-end'));
      strictEqual(await isOver(), false);
      strictEqual((await history.sessions({ status: 'running' })).length, 1);
      strictEqual((await history.sessions({ status: 'incomplete' })).length, 0);
      await lease.release();
      await history.catchUp();
      strictEqual(await isOver(), true);
      const [ended] = await history.sessions();
      const before = await snapshotOf(history);
      ok(ended && ended.status !== 'running');
      strictEqual((await history.sessions({ status: ended.status })).length, 1);
      await history.rebuild();
      deepStrictEqual(await snapshotOf(history), before);
    }),

  'every message is found by any of its words': (place, sessions) =>
    withOpen(place, async ({ record, history }) => {
      await appendAll(record, sessions.slice(0, 25));
      await history.catchUp();
      for (const { id } of await history.sessions()) {
        for (const { text, role } of await history.messages(id)) {
          const words = [...segmentsOf(text)].filter((one) => !one.isPaired).slice(0, 5);
          for (const word of words) {
            const kinds = [role === 'user' ? ('prompt' as const) : ('answer' as const)];
            const hits = await history.search(word.text, { sessionId: id, kinds, limit: 100 });
            ok(hits.length > 0, `${word.text} is not found in ${id}`);
          }
        }
      }
    }),
};

// ── What the cases share ────────────────────────────────────────────────────────────────────────────

async function inPlace(make: () => Promise<HistoryPlace>, run: (place: HistoryPlace) => Promise<void>): Promise<void> {
  const place = await make();
  try {
    await run(place);
  } finally {
    await place.remove();
  }
}

async function withOpen<T>(place: HistoryPlace, work: (open: OpenHistory) => Promise<T>): Promise<T> {
  const open = await place.open();
  try {
    return await work(open);
  } finally {
    await open.close();
  }
}

/** What each session took, said and did, whatever the order in which that was heard of. */
async function billsOf({ record, history }: OpenHistory, sessions: readonly SuiteSession[]): Promise<unknown> {
  await appendAll(record, sessions);
  await history.catchUp();
  const bills = new Map<string, unknown>();
  for (const { id } of await history.sessions()) {
    const session = await history.session(id);
    const { usage, mainUsage, costUsd, costState, models, outcome, turns, steps } = session?.summary ?? {};
    const said = (await history.messages(id)).map(({ role, text }) => `${role} ${text}`);
    const calls = (await history.calls(id)).map((call) => `${call.id} ${call.outcome}`).sort();
    const checkpoints = await history.checkpoints(id);
    bills.set(id, { usage, mainUsage, costUsd, costState, models, outcome, turns, steps, said, calls, checkpoints });
  }
  const sorted = [...bills].sort(([a], [b]) => (a < b ? -1 : 1));
  // Sums of the same costs in another order differ in the last digits.
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' ? Number(value.toFixed(9)) : value;
  return JSON.parse(JSON.stringify(sorted, rounded));
}

async function appendAll(record: LineRecord, sessions: readonly SuiteSession[]): Promise<number> {
  let lines = 0;
  for (const stream of sessions.flatMap(({ streams }) => streams)) {
    const lease = await record.claim(stream.name, stream.facts);
    await record.append(stream.name, 1, stream.lines);
    await lease.release();
    lines += stream.lines.length;
  }
  return lines;
}
