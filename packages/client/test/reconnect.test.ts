// Connections that break in three ways, at many points: what was handed on equals what is stored.

import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { counts } from '../../../proof/counts.ts';
import { type Client, createClient } from '../src/client.ts';
import type { FeedMessage } from '../src/feed/message.ts';
import { CUTS, type Cut, startTestServer, type TestServer } from './test-server.ts';
import { createRandom, eventLine, fastClock, outputLine, until } from './tools.ts';

let server: TestServer;
let client: Client;
afterEach(async () => {
  client.close();
  await server.close();
});

const SPEED = 20;
/** Twice this, at that speed, is how long a silent server is waited for. */
const HEARTBEAT_MS = 1000;

describe.each(CUTS)('cut %s', (how) => {
  test.each([
    ['events', eventLine],
    ['activity', outputLine],
  ] as const)('%s come once, in order, none is missing', async (view, makeLine) => {
    const seed = 1 + CUTS.indexOf(how);
    const random = createRandom(seed);
    server = await startTestServer({ heartbeatMs: HEARTBEAT_MS, frameSize: () => 1 + random(7) });
    client = createClient({ url: server.url, WebSocket, clock: fastClock(SPEED), random: () => 0 });

    let cuts = 0;
    let untilCut = 1 + random(4);
    server.cutAfter = (): Cut | undefined => {
      if (cuts === counts.clientCuts || --untilCut > 0) return undefined;
      cuts++;
      untilCut = 1 + random(4);
      return how;
    };

    const stored: FeedMessage[] = [];
    const handed: FeedMessage[] = [];
    const store = (): void => {
      for (let count = 1 + random(3); count > 0; count--) {
        const line = makeLine(stored.length + 1, random(9));
        stored.push(...line);
        server.add(line);
      }
    };
    store();
    const subscription = client.subscribe({ view, sessions: ['s'] }, (messages) => {
      handed.push(...messages.filter(({ type }) => type !== 'live'));
    });
    while (cuts < counts.clientCuts) {
      const before = cuts;
      store();
      await until(() => cuts > before || handed.length >= stored.length);
    }
    await until(() => handed.length >= stored.length && subscription.status.state === 'live');

    expect(handed, `seed ${seed}`).toEqual(stored);
    expect(cuts).toBe(counts.clientCuts);
    expect(server.connections).toBeGreaterThan(counts.clientCuts);
    expect(server.refused).toEqual([]);
  });
});

test('a cursor of another epoch is told as a reset, and everything comes anew', async () => {
  server = await startTestServer();
  client = createClient({ url: server.url, WebSocket, clock: fastClock(SPEED) });
  server.add(eventLine(1, 2));
  const handed: FeedMessage[] = [];
  client.subscribe({ view: 'events', sessions: ['s'] }, (messages) => handed.push(...messages));
  await until(() => handed.length === 3);
  const anew = [{ position: 1, messages: eventLine(1, 3) }];
  server.restart(anew);
  server.peers[0]?.cut('reset');
  await until(() => handed.length === 8);
  expect(handed.slice(3)).toEqual([{ type: 'reset', epoch: server.epoch }, ...eventLine(1, 3), { type: 'live' }]);
});

test('a client that is told to be behind goes on from where it was', async () => {
  server = await startTestServer();
  client = createClient({ url: server.url, WebSocket, clock: fastClock(SPEED) });
  const handed: FeedMessage[] = [];
  client.subscribe({ view: 'events', sessions: ['s'] }, (messages) => handed.push(...messages));
  server.add(eventLine(1, 2));
  await until(() => handed.length === 3);
  const [peer] = server.peers;
  peer?.send({ messages: [{ type: 'behind', queuedBytes: 2_000_000 }] });
  server.add(eventLine(2, 1));
  await until(() => server.connections === 2 && handed.length >= 5);
  expect(handed.filter(({ type }) => type === 'event')).toEqual([...eventLine(1, 2), ...eventLine(2, 1)]);
  expect(server.peers[0]?.heard[0]).toMatchObject({ type: 'subscribe', cursor: expect.any(String) });
});

test('one that is closed is not spoken for any more, on this socket or the next', async () => {
  server = await startTestServer();
  client = createClient({ url: server.url, WebSocket, clock: fastClock(SPEED) });
  const handed: FeedMessage[] = [];
  const first = client.subscribe({ view: 'events', sessions: ['s'] }, (messages) => handed.push(...messages));
  const second = client.subscribe({ view: 'sessions' }, () => undefined);
  await until(() => first.status.state === 'live' && second.status.state === 'live');
  first.close();
  expect(first.status).toEqual({ state: 'closed' });
  await until(() => server.peers[0]?.subscriptions.size === 1);
  const before = handed.length;
  server.add(eventLine(1, 1));
  server.peers[0]?.cut('reset');
  await until(() => server.connections === 2 && second.status.state === 'live');
  expect([...(server.peers[0]?.subscriptions.values() ?? [])].map(({ view }) => view)).toEqual(['sessions']);
  expect(handed).toHaveLength(before);
});
