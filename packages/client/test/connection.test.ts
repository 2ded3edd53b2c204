// How the client stands with its server: waits, silence, other versions, strangers, and things that are no frames.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProblem } from '@tailrace/protocol';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { counts } from '../../../proof/counts.ts';
import { type Client, type ClientOptions, createClient } from '../src/client.ts';
import { readFrame } from '../src/connection/read-frame.ts';
import { retryDelay } from '../src/connection/retry-delay.ts';
import type { ClientStatus } from '../src/connection/status.ts';
import type { FeedMessage } from '../src/feed/message.ts';
import { FIRST_RETRY_MS, HELLO_MS, LONGEST_HEARTBEAT_MS, LONGEST_RETRY_MS, SILENT_HEARTBEATS } from '../src/limits.ts';
import type { Warning } from '../src/warning.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';
import { eventLine, fastClock, handClock, until } from './tools.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function serve(options?: TestServerOptions): Promise<TestServer> {
  const server = await startTestServer(options);
  ends.push(() => server.close());
  return server;
}

function connect(server: { readonly url: string }, options: ClientOptions = {}): Client {
  const client = createClient({ url: server.url, WebSocket, ...options });
  ends.push(() => client.close());
  return client;
}

/** All statuses, from now on. */
function watch(client: Client): ClientStatus['state'][] {
  const states: ClientStatus['state'][] = [];
  client.onStatus(({ state }) => states.push(state));
  return states;
}

const listen = (client: Client) => client.subscribe({ view: 'sessions' }, () => undefined);

describe('waiting', () => {
  test('grows to a limit, and is different for each client', () => {
    const longest = Array.from({ length: 12 }, (_, attempt) => retryDelay(attempt, 1));
    expect(longest.slice(0, 3)).toEqual([FIRST_RETRY_MS, 2 * FIRST_RETRY_MS, 4 * FIRST_RETRY_MS]);
    expect(longest.at(-1)).toBe(LONGEST_RETRY_MS);
    expect(retryDelay(2 ** 40, 1)).toBe(LONGEST_RETRY_MS);
    expect(retryDelay(3, 0)).toBe(retryDelay(3, 1) / 2);
  });

  test('begins anew when something came of a connection, and not when it only said hello', async () => {
    const server = await serve();
    const clock = handClock();
    const client = connect(server, { clock, random: () => 1 });
    const waits: number[] = [];
    client.onStatus((status) => {
      if (status.state === 'waiting') waits.push(status.retryAt - clock.now());
    });
    const subscription = listen(client);
    await until(() => subscription.status.state === 'live');
    server.cutAtHello = 'clean';
    server.peers[0]?.cut('reset');
    for (let count = 1; count <= 4; count++) {
      await until(() => waits.length === count);
      clock.pass(waits.at(-1) ?? 0);
    }
    await until(() => waits.length === 5);
    server.cutAtHello = undefined;
    clock.pass(waits.at(-1) ?? 0);
    await until(() => subscription.status.state === 'live');
    server.peers[0]?.cut('clean');
    await until(() => waits.length === 6);
    expect(waits.map((wait) => wait / FIRST_RETRY_MS)).toEqual([1, 2, 4, 8, 16, 1]);
  });

  test('is none after being behind, unless nothing came through', async () => {
    const server = await serve();
    const clock = handClock();
    const client = connect(server, { clock, random: () => 1 });
    const waits: number[] = [];
    client.onStatus((status) => {
      if (status.state === 'waiting') waits.push(status.retryAt - clock.now());
    });
    const subscription = listen(client);
    const fallBehind = (): void => server.peers[0]?.send({ messages: [{ type: 'behind', queuedBytes: 1 }] });
    await until(() => subscription.status.state === 'live');
    fallBehind();
    await until(() => waits.length === 1);
    // From here on the server has nothing to say but that.
    server.isMute = true;
    clock.pass(0);
    await until(() => client.status.state === 'open');
    fallBehind();
    await until(() => waits.length === 2);
    expect(waits).toEqual([0, 2 * FIRST_RETRY_MS]);
  });
});

describe('a server', () => {
  test('that is silent for two heartbeats is given up; a ping is enough, and is answered', async () => {
    const heartbeatMs = 1000;
    const server = await serve({ heartbeatMs });
    const clock = handClock();
    const client = connect(server, { clock });
    const subscription = listen(client);
    await until(() => subscription.status.state === 'live');
    const [peer] = server.peers;

    clock.pass(SILENT_HEARTBEATS * heartbeatMs - 1);
    expect(client.status.state).toBe('open');
    peer?.send({ messages: [{ type: 'ping' }] });
    await until(() => peer?.heard.some(({ type }) => type === 'pong'));
    clock.pass(SILENT_HEARTBEATS * heartbeatMs - 1);
    expect(client.status.state).toBe('open');
    clock.pass(1);
    expect(client.status.state).toBe('waiting');
  });

  test('whose heartbeat is beyond reason is given up all the same', async () => {
    const server = await serve({ heartbeatMs: 1e12 });
    const clock = handClock();
    const client = connect(server, { clock });
    const subscription = listen(client);
    await until(() => subscription.status.state === 'live');
    clock.pass(SILENT_HEARTBEATS * LONGEST_HEARTBEAT_MS);
    expect(client.status.state).toBe('waiting');
  });

  test('that takes the connection and never says hello is given up', async () => {
    const mute = createServer();
    mute.on('upgrade', () => undefined);
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    ends.push(() => {
      mute.closeAllConnections();
      mute.close();
    });
    const clock = handClock();
    const client = connect({ url: `http://127.0.0.1:${(mute.address() as AddressInfo).port}` }, { clock });
    listen(client);
    clock.pass(HELLO_MS - 1);
    expect(client.status.state).toBe('connecting');
    clock.pass(1);
    expect(client.status.state).toBe('waiting');
  });

  test('that is not there is tried again, and found when it comes', async () => {
    const first = await serve();
    const { url } = first;
    await first.close();
    const client = connect({ url }, { clock: fastClock(20) });
    const states = watch(client);
    listen(client);
    await until(() => states.filter((state) => state === 'waiting').length > 2);
    expect(new Set(states)).toEqual(new Set(['connecting', 'waiting']));
    await serve({ port: Number(new URL(url).port) });
    await until(() => client.status.state === 'open');
  });

  test('that speaks another protocol is told as such, and not tried again', async () => {
    const server = await serve({ protocol: 2 });
    const clock = handClock();
    const client = connect(server, { clock });
    const states = watch(client);
    const subscription = listen(client);
    const asked = client.command({ action: 'stop', runId: 'r' });
    const refusal = expect(asked).rejects.toMatchObject({ code: 'unavailable' });
    await until(() => client.status.state === 'incompatible');
    await refusal;
    expect(client.status).toEqual({ state: 'incompatible', ours: 1, theirs: 2 });
    clock.pass(10 * LONGEST_RETRY_MS);
    expect(states).toEqual(['connecting', 'incompatible']);
    expect(server.connections).toBe(1);
    expect(subscription.status.state).toBe('waiting');
  });

  test('that does not know us is left alone until somebody signs in', async () => {
    const server = await serve({ route: () => ({ body: {} }) });
    server.isSignedOut = true;
    const clock = handClock();
    const client = connect(server, { clock });
    const states = watch(client);
    const subscription = listen(client);
    const asked = client.command({ action: 'stop', runId: 'r' });
    const refusal = expect(asked).rejects.toMatchObject({ code: 'unauthenticated' });
    await until(() => client.status.state === 'signed-out');
    await refusal;
    expect(client.status).toMatchObject({ problem: createProblem('unauthenticated') });
    clock.pass(10 * LONGEST_RETRY_MS);
    expect(states).toEqual(['connecting', 'waiting', 'signed-out']);
    server.isSignedOut = false;
    await client.http.signIn('ABCD2345');
    await until(() => subscription.status.state === 'live');
    expect(server.connections).toBe(1);
  });
});

describe('things that are no frames', () => {
  const BAD = [
    'not json',
    '',
    'null',
    '[]',
    '7',
    '{}',
    '{"messages":7}',
    '{"messages":{"length":1}}',
    '{"subscriptionId":7,"messages":[]}',
    '{"subscriptionId":"s1","cursor":7,"messages":[]}',
  ];
  /** Frames, of which nothing can be used. */
  const EMPTY = [
    '{"subscriptionId":"s1","messages":[null,7,"x",[],{}]}',
    '{"subscriptionId":"s1","messages":[{"type":"event"},{"type":"event","sessionId":"s","position":1}]}',
    '{"subscriptionId":"s1","messages":[{"type":"from tomorrow"},{"type":"constructor"},{"type":"__proto__"}]}',
    '{"subscriptionId":"s1","messages":[{"type":"failed"},{"type":"failed","problem":{"code":7}}]}',
    '{"messages":[{"type":"reply"},{"type":"reply","commandId":"x"},{"type":"hello"}]}',
    '{"subscriptionId":"nobody","messages":[{"type":"live"}]}',
    '{"subscriptionId":"__proto__","messages":[{"type":"live"}]}',
  ];

  test('are counted and left, and what follows is heard', async () => {
    const server = await serve();
    const warnings: Warning[] = [];
    const client = connect(server, { onWarning: (warning) => warnings.push(warning) });
    const handed: FeedMessage[] = [];
    const subscription = client.subscribe({ view: 'events', sessions: ['s'] }, (messages) => handed.push(...messages));
    await until(() => subscription.status.state === 'live');
    for (const text of [...BAD, ...EMPTY]) server.peers[0]?.sendText(text);
    server.add(eventLine(1, 1));
    await until(() => handed.some(({ type }) => type === 'event'));
    expect(handed).toEqual([{ type: 'live' }, ...eventLine(1, 1)]);
    expect(warnings.map(({ kind, count }) => [kind, count])).toEqual(BAD.map((_, index) => ['not-a-frame', index + 1]));
    expect(server.connections).toBe(1);
  });

  test('whatever a text is, it is a frame or nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.anything()), (text) => {
        const frame = readFrame(text);
        for (const message of frame?.messages ?? []) expect(typeof message.type).toBe('string');
      }),
      { numRuns: counts.hostileLines },
    );
  });
});

test('a listener that throws harms nobody', async () => {
  const server = await serve();
  const warnings: Warning[] = [];
  const client = connect(server, { onWarning: (warning) => warnings.push(warning) });
  client.onStatus(() => {
    throw new Error('of the status');
  });
  const handed: FeedMessage[] = [];
  client.subscribe({ view: 'events', sessions: ['s'] }, () => {
    throw new Error('of a listener');
  });
  client.subscribe({ view: 'events', sessions: ['s'] }, (messages) => handed.push(...messages));
  server.add(eventLine(1, 2));
  await until(() => handed.length === 3);
  expect(new Set(warnings.map(({ cause }) => (cause as Error).message))).toEqual(
    new Set(['of the status', 'of a listener']),
  );
});

test('a socket that cannot be made is told, and tried again', async () => {
  const warnings: Warning[] = [];
  class Broken {
    constructor() {
      throw new Error('no sockets here');
    }
    addEventListener(): void {}
    send(): void {}
    close(): void {}
  }
  const clock = fastClock(20);
  const client = connect(
    { url: 'http://127.0.0.1:9' },
    { WebSocket: Broken, clock, onWarning: (one) => warnings.push(one) },
  );
  listen(client);
  await until(() => warnings.length > 2);
  expect(warnings[0]).toMatchObject({ kind: 'no-socket', cause: new Error('no sockets here') });
});

test('after it was closed nothing goes on, and nothing begins', async () => {
  const server = await serve();
  const client = connect(server);
  const subscription = listen(client);
  await until(() => subscription.status.state === 'live');
  const asked = client.command({ action: 'stop', runId: 'r' });
  const refusal = expect(asked).rejects.toMatchObject({ code: 'closed' });
  client.close();
  client.close();
  await refusal;
  expect([client.status.state, subscription.status.state]).toEqual(['closed', 'closed']);
  await until(() => server.peers.length === 0);
  expect(() => listen(client)).toThrow('the client is closed');
  await expect(client.command({ action: 'stop', runId: 'r' })).rejects.toMatchObject({ code: 'closed' });
  client.reconnect();
  expect(server.connections).toBe(1);
});
