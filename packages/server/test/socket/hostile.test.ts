// Frames and handshakes that mean no good: each gets the right word, memory stays as it is, and nobody else is harmed.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MAX_SOCKETS, MAX_SUBSCRIPTIONS, type Subscribe } from '@tailrace/protocol';
import { expect, test } from 'vitest';
import { MAX_WAITING_MESSAGES } from '../../src/socket/limits.ts';
import { until } from '../control/runs-of-fake.ts';
import { hostileFrames, hostileHandshakes, type Outcome, text } from './hostile-cases.ts';
import { type House, openHouse } from './house.ts';
import { connect, type Peer } from './peer.ts';
import { clientFrame, handshake, type RawConnection, speak } from './raw.ts';
import { answerLine, createWriter, runOf } from './writer.ts';

async function enter(
  house: House,
  headers: Record<string, string>,
  bytes: Uint8Array = Buffer.alloc(0),
): Promise<RawConnection> {
  const raw = await speak(
    house.server.port,
    Buffer.concat([Buffer.from(handshake({ host: house.host, ...headers })), bytes]),
  );
  await raw.until(({ messages }) => messages.length > 0);
  return raw;
}

async function suffer(
  house: House,
  headers: Record<string, string>,
  bytes: Uint8Array,
  outcome: Outcome,
): Promise<void> {
  const raw = await enter(house, headers);
  expect(raw.messages[0]?.type).toBe('hello');
  raw.socket.write(bytes);
  if (typeof outcome === 'number') {
    await raw.until(({ code }) => code !== undefined);
    expect(raw.code).toBe(outcome);
    raw.socket.end();
    await raw.until(({ isClosed }) => isClosed);
  } else if (outcome === 'bad-request') {
    await raw.until(({ messages }) => messages.length > 1);
    expect(raw.messages[1]).toMatchObject({ type: 'failed', problem: { code: 'bad-request' } });
  }
  if (typeof outcome === 'number') return;
  // It is still good for something.
  const wanted = JSON.stringify({ type: 'subscribe', subscriptionId: 'after', view: 'events' });
  raw.socket.write(clientFrame(wanted, outcome === 'begun' ? { opcode: 0 } : {}));
  expect(await raw.until(({ messages }) => messages.some(({ type }) => type === 'live'))).toBe(true);
  raw.socket.destroy();
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function memory(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Somebody who listens, while another process writes: they hear all of it. */
async function bystander(
  house: House,
): Promise<{ write(): Promise<void>; check(): Promise<void>; readonly peer: Peer }> {
  const { headers } = await house.program('read');
  const peer = await connect(house.host, headers);
  const wanted: Subscribe = {
    type: 'subscribe',
    subscriptionId: 'all',
    view: 'events',
    filter: { kinds: ['text-end'] },
  };
  peer.say(wanted);
  await peer.find('live');
  const lines = Array.from({ length: 500 }, (_, index) =>
    answerLine(`m${index}`, [{ type: 'text', text: `text ${index}` }]),
  );
  const writer = createWriter(house.other, runOf(...lines));
  await writer.grow(1);
  let count = 0;
  return {
    peer,
    async write() {
      await writer.grow(1);
      count++;
    },
    async check() {
      await peer.until(() => peer.all('event').length === count);
      expect(peer.all('event').map(({ event }) => 'text' in event && event.text)).toEqual(
        Array.from({ length: count }, (_, index) => `text ${index}`),
      );
      expect(peer.closed).toBeUndefined();
      await writer.end();
    },
  };
}

test('[T-11] 60 and more frames and handshakes that are none: the right code, flat memory, nobody else harmed', async () => {
  const house = await openHouse();
  const { headers } = await house.program('read');
  const other = await bystander(house);
  const cases = hostileFrames();
  const handshakes = hostileHandshakes({ host: house.host, ...headers });
  expect(cases.length + handshakes.length).toBeGreaterThanOrEqual(60);
  // Begun and not finished: the limit of time is the server's own.
  const slow = await Promise.all([
    speak(house.server.port, 'GET /ws HTTP/1.1\r\nHost'),
    speak(house.server.port, handshake({ host: house.host, ...headers }).slice(0, -2)),
    speak(house.server.port, 'GET'),
  ]);
  let before = 0;
  for (const round of [1, 2]) {
    for (const [name, bytes, outcome] of cases) {
      await suffer(house, headers, bytes, outcome).catch((error: unknown) => {
        throw new Error(`${name}: ${String(error)}`, { cause: error });
      });
      await other.write();
    }
    for (const [name, bytes, status] of handshakes) {
      const raw = await speak(house.server.port, bytes);
      await raw.until(({ isClosed }) => isClosed);
      expect([name, raw.status, raw.frames]).toEqual([name, status, []]);
    }
    await until(() => house.server.counts.sockets === 1);
    // The first time is for what is made once.
    if (round === 1) before = memory();
  }
  expect(memory() - before).toBeLessThan(8_000_000);
  for (const raw of slow) {
    await raw.until(({ isClosed }) => isClosed);
    expect(raw.frames).toEqual([]);
    expect(raw.status === undefined || raw.status >= 400).toBe(true);
  }
  await other.check();
});

test('[T-11] compression is offered and not taken', async () => {
  const house = await openHouse();
  const { headers } = await house.program('read');
  const offers = [
    'permessage-deflate',
    'permessage-deflate; client_max_window_bits=8',
    'permessage-deflate; bogus',
    'x-webkit-deflate-frame',
  ];
  for (const offer of offers) {
    const raw = await speak(
      house.server.port,
      handshake({ host: house.host, ...headers }, [`Sec-WebSocket-Extensions: ${offer}`]),
    );
    await raw.until(({ messages }) => messages.length > 0);
    expect(raw.status).toBe(101);
    expect(raw.head).not.toMatch(/extensions/i);
    raw.socket.write(clientFrame(Buffer.from([0xca, 0x48, 0xcd]), { reserved: 4 }));
    await raw.until(({ code }) => code !== undefined);
    expect(raw.code).toBe(1002);
  }
});

test('the first word is hello, also to somebody who speaks before they are spoken to', async () => {
  const house = await openHouse();
  const { headers } = await house.program('read');
  const raw = await enter(house, headers, text({ type: 'subscribe', subscriptionId: 's', view: 'events' }));
  await raw.until(({ messages }) => messages.some(({ type }) => type === 'live'));
  expect(raw.messages.map(({ type }) => type)).toEqual(['hello', 'live']);
});

test(`[T-11] one sign-in has ${MAX_SOCKETS} sockets, and another has its own`, async () => {
  const house = await openHouse();
  const { headers, id } = await house.program('read');
  const all: RawConnection[] = [];
  for (let count = 0; count < MAX_SOCKETS; count++) all.push(await enter(house, headers));
  expect(all.every(({ status }) => status === 101)).toBe(true);
  const next = await enter(house, headers);
  expect([next.status, next.frames]).toEqual([429, []]);
  expect(house.audit().at(-1)).toMatchObject({ action: 'socket', caller: id, result: 'too-many' });
  expect((await enter(house, house.person)).status).toBe(101);
  all[7]?.socket.destroy();
  await until(() => house.server.counts.sockets === MAX_SOCKETS);
  expect((await enter(house, headers)).status).toBe(101);
  expect((await enter(house, headers)).status).toBe(429);
});

test(`[T-11] a socket has ${MAX_SUBSCRIPTIONS} subscriptions, and one can be taken back`, async () => {
  const house = await openHouse();
  const peer = await connect(house.host, house.person);
  const ask = (index: number): void =>
    peer.say({ type: 'subscribe', subscriptionId: `s${index}`, view: index % 2 ? 'events' : 'sessions' });
  for (let index = 0; index < MAX_SUBSCRIPTIONS; index++) {
    ask(index);
    await peer.until(() => peer.all('live', `s${index}`).length === 1);
  }
  expect(house.server.counts.listeners).toBe(MAX_SUBSCRIPTIONS);
  ask(MAX_SUBSCRIPTIONS);
  const { problem } = await peer.find('failed');
  expect(problem.code).toBe('too-many');
  expect(peer.frames.at(-1)?.subscriptionId).toBe(`s${MAX_SUBSCRIPTIONS}`);
  // The same again takes the place of the old one.
  ask(3);
  await peer.until(() => peer.all('live', 's3').length === 2);
  peer.say({ type: 'unsubscribe', subscriptionId: 's3' });
  ask(MAX_SUBSCRIPTIONS);
  await peer.until(() => peer.all('live', `s${MAX_SUBSCRIPTIONS}`).length === 1);
  expect(house.server.counts.listeners).toBe(MAX_SUBSCRIPTIONS);
});

test(`[T-11] ${MAX_WAITING_MESSAGES} messages may wait; what comes beyond is refused, and what waits is done`, async () => {
  const house = await openHouse();
  const { headers } = await house.program('read');
  const raw = await enter(house, headers);
  const one = text({ type: 'subscribe', subscriptionId: 's', view: 'sessions' });
  raw.socket.write(Buffer.concat(Array(MAX_WAITING_MESSAGES + 20).fill(one)));
  const count = (type: string): number => raw.messages.filter((message) => message.type === type).length;
  await raw.until(() => count('live') + count('failed') === MAX_WAITING_MESSAGES + 20);
  expect([count('live'), count('failed')]).toEqual([MAX_WAITING_MESSAGES, 20]);
  expect(raw.messages.find(({ type }) => type === 'failed')).toMatchObject({ problem: { code: 'too-many' } });
});

test.each([
  ['pings', clientFrame('x'.repeat(125), { opcode: 9 })],
  ['messages that are not understood', clientFrame('x')],
  ['messages that are refused', text({ type: 'command', commandId: 'c', command: { action: 'stop', runId: 'none' } })],
])('[T-11] whoever sends %s without end and reads nothing is let go, and memory stays', async (_, one) => {
  const house = await openHouse();
  const { headers } = await house.program('read');
  const raw = await enter(house, headers);
  raw.socket.pause();
  const before = memory();
  const many = Buffer.concat(Array(Math.ceil(500_000 / one.length)).fill(one));
  let most = 0;
  for (let sent = 0; sent < 120_000_000 && house.server.counts.sockets > 0; sent += many.length) {
    const isTaken = await new Promise<boolean>((resolve) => {
      raw.socket.write(many, (error) => resolve(!error));
    });
    if (!isTaken) break;
    most = Math.max(most, memory() - before);
  }
  expect(most).toBeLessThan(16_000_000);
  await until(() => house.server.counts.sockets === 0);
});
