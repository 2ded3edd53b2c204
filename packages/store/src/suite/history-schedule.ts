// One random course of things: streams grow, are claimed and let go, the history is brought up to date in between, the store is
// closed and opened. In the end it must be what one rebuild makes of the same record, and what those hold who were told of it.

import { deepStrictEqual } from 'node:assert/strict';
import type { Lease } from '../contract.ts';
import { createFollower, type Follower } from './follower.ts';
import type { HistoryPlace, OpenHistory, SuiteSession, SuiteStream } from './history-suite.ts';
import { snapshotOf } from './snapshot.ts';

const STEPS = 60;

/** Fails with the seed in its message. */
export async function tryHistorySchedule(
  place: HistoryPlace,
  sessions: readonly SuiteSession[],
  seed: number,
): Promise<void> {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const chosen = new Set<SuiteSession>();
  while (chosen.size < Math.min(3, sessions.length)) chosen.add(pick(sessions) as SuiteSession);
  const streams = [...chosen].flatMap((session) => session.streams);
  const next = new Map<SuiteStream, number>();
  const leases = new Map<SuiteStream, Lease>();
  let open: OpenHistory = await place.open();
  const followers: Follower[] = [createFollower()];

  async function grow(stream: SuiteStream, count: number): Promise<void> {
    const from = next.get(stream) ?? 0;
    const lines = stream.lines.slice(from, from + count);
    if (lines.length === 0) return;
    if (!leases.has(stream)) leases.set(stream, await open.record.claim(stream.name, stream.facts));
    await open.record.append(stream.name, from + 1, lines);
    next.set(stream, from + lines.length);
  }

  async function letGo(which: readonly SuiteStream[]): Promise<void> {
    for (const stream of which) {
      await leases.get(stream)?.release();
      leases.delete(stream);
    }
  }

  try {
    for (let step = 0; step < STEPS; step++) {
      for (const follower of followers)
        if (random() < 0.3) await follower.hear(open.history, 1 + Math.floor(random() * 3));
      if (random() < 0.1) {
        const session = pick(await open.history.sessions());
        followers.push(createFollower(session?.id));
      }
      const stream = pick(streams) as SuiteStream;
      const dice = random();
      if (dice < 0.6) await grow(stream, 1 + Math.floor(random() * 8));
      else if (dice < 0.8) await open.history.catchUp();
      else if (dice < 0.9) await letGo([stream]);
      else if (dice < 0.95) {
        const control = new AbortController();
        const late = setImmediate(() => control.abort());
        await open.history.catchUp({ signal: control.signal });
        clearImmediate(late);
      } else {
        await letGo(streams);
        await open.close();
        open = await place.open();
      }
    }
    for (const stream of streams) await grow(stream, Number.POSITIVE_INFINITY);
    if (random() < 0.5) await open.history.catchUp();
    if (random() < 0.8) await letGo(streams);
    await open.history.catchUp();
    const words = `seed ${seed}: ${[...chosen].map(({ name }) => name).join(', ')}`;
    for (const follower of followers) await follower.check(open.history, words);
    const before = await snapshotOf(open.history);
    await open.history.rebuild();
    const after = await snapshotOf(open.history);
    deepStrictEqual(before, after, words);
    for (const follower of followers) await follower.check(open.history, `${words}, anew`);
    await letGo(streams);
  } finally {
    await open.close();
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
