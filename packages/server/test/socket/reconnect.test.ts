// Connections that are cut at random bytes, closed, reset and left half open: what was seen is what is stored.

import { decodeCursor } from '@tailrace/protocol';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { until } from '../control/runs-of-fake.ts';
import { compare, isEndTold } from '../feed/compare.ts';
import { createRandom, pick } from '../feed/random.ts';
import { recordedRuns as allRuns } from '../feed/recordings.ts';
import { createFollower, type Follower } from './follower.ts';
import { type House, openHouse } from './house.ts';
import { CUTS, startProxy } from './proxy.ts';
import { createWriter, longRun, type Writer } from './writer.ts';

const HEARTBEAT_MS = 100;
const recordedRuns = allRuns.filter(({ lines }) => lines.length > 0);

/** From one byte to four frames, the small ones as often as the large ones. */
function cutPoint(random: () => number): number {
  return Math.ceil(Math.exp(random() * Math.log(1_000_000)));
}

/** Several runs at once, some lines at a time; new ones follow those that are done. */
function createWriters(
  { other }: House,
  random: () => number,
): { step(): Promise<void>; end(): Promise<void>; readonly all: readonly Writer[] } {
  const all: Writer[] = [];
  return {
    all,
    async step() {
      const open = all.filter(({ isDone }) => !isDone);
      if (open.length < 2) all.push(createWriter(other, random() < 0.1 ? longRun() : pick(random, recordedRuns)));
      const writer = pick(
        random,
        all.filter(({ isDone }) => !isDone),
      );
      await writer.grow(1 + Math.floor(random() * 20));
      if (writer.isDone && random() < 0.7) await writer.end();
    },
    async end() {
      for (const writer of all) {
        await writer.grow();
        await writer.end();
      }
    },
  };
}

/** Everything that is stored is told, and everybody has heard it. However much it is: only whoever gets no further is given up. */
async function settled(house: House, follower: Follower): Promise<void> {
  const lines = await house.store.record.last();
  let seen = '';
  for (let isSettled = false; !isSettled; ) {
    await until(async () => {
      const { end } = await house.store.history.tidings(Number.POSITIVE_INFINITY);
      const places = [...follower.holdings.values()].map(({ cursor }) => decodeCursor(cursor ?? '')?.position);
      isSettled = end >= lines && follower.isLive && places.every((place) => place === end);
      const before = seen;
      seen = JSON.stringify({ lines, end, places, isLive: follower.isLive });
      return isSettled || seen !== before;
    }).catch((error: unknown) => {
      throw new Error(`it gets no further: ${seen}`, { cause: error });
    });
  }
}

describe.each(CUTS)('a connection that is cut: %s', (how) => {
  test('what was seen equals what is stored', async () => {
    const seed = Date.now() % 1_000_000;
    const random = createRandom(seed);
    const house = await openHouse({ heartbeatMs: HEARTBEAT_MS });
    const proxy = await startProxy(() => house.server.port, how);
    const { headers } = await house.program('read');
    const long = createWriter(house.other, longRun());
    await long.grow(2);
    await house.other.history.catchUp();
    proxy.bytesOf = () => (proxy.cuts < counts.reconnects ? cutPoint(random) : Number.POSITIVE_INFINITY);
    // The proxy has another port, and programs name no page: the host is the server's own.
    const follower = createFollower({
      host: () => `127.0.0.1:${proxy.port}`,
      headers: () => ({ ...headers, host: house.host }),
    });
    const everything = follower.listen('everything', { view: 'events' });
    const one = follower.listen('one', { view: 'events', sessions: [long.sessionId] });
    // Somebody whom nobody cuts off, and who wants the same.
    const steady = createFollower({ host: () => house.host, headers: () => headers });
    const all = steady.listen('everything', { view: 'events' });
    await until(() => everything.first !== undefined && steady.isLive);
    const writers = createWriters(house, random);
    while (proxy.cuts < counts.reconnects) {
      const { cuts } = proxy;
      await writers.step();
      if (random() < 0.1) await long.grow(1);
      if (random() < 0.3) await until(() => follower.isLive || proxy.cuts > cuts);
    }
    await long.grow();
    await long.end();
    await writers.end();
    const ids = [long, ...writers.all].map(({ sessionId }) => sessionId);
    // Whoever keeps the history up to date may have looked a moment before.
    for (const id of ids) await until(() => isEndTold(house.store, id, 0));
    await settled(house, follower);
    await settled(house, steady);
    await compare(house.store, one, long.sessionId, true).catch((error: unknown) => {
      throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
    });
    for (const id of ids) {
      for (const holding of [everything, all])
        await compare(house.store, holding, id, false).catch((error: unknown) => {
          throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
        });
    }
    expect(proxy.cuts).toBe(counts.reconnects);
    expect(proxy.connections).toBeGreaterThan(counts.reconnects);
    expect(everything.sessions.size).toBeGreaterThan(1);
    // What was cut off does not stay with the server.
    await until(() => house.server.counts.sockets === 2 && house.server.counts.listeners === 3);
  });
});
