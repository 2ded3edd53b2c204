// Frames and handshakes that mean no good: each gets the right word, memory stays as it is, and nobody else is harmed.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MAX_CLIENT_MESSAGE_BYTES, MAX_SOCKETS, MAX_SUBSCRIPTIONS, type Subscribe } from '@tailrace/protocol';
import { expect, test } from 'vitest';
import { MAX_WAITING_MESSAGES } from '../../src/socket/limits.ts';
import { until } from '../control/runs-of-fake.ts';
import { type House, openHouse } from './house.ts';
import { connect, type Peer } from './peer.ts';
import { clientFrame, handshake, type RawConnection, speak } from './raw.ts';
import { answerLine, createWriter, runOf } from './writer.ts';

/** What becomes of it: the socket is closed with a code, or the message is refused, or nothing is wrong yet, and the socket stays. */
type Outcome = number | 'bad-request' | 'fine' | 'begun';
type Case = readonly [name: string, bytes: Uint8Array, outcome: Outcome];

const text = (value: unknown): Buffer => clientFrame(JSON.stringify(value));
const pong = { type: 'pong' };

function hostileFrames(): readonly Case[] {
  const protocol = 1002;
  const tooBig = 1009;
  const cases: Case[] = [
    ['unmasked text', clientFrame('{"type":"pong"}', { isMasked: false }), protocol],
    ['unmasked and empty', clientFrame('', { isMasked: false }), protocol],
    ['unmasked ping', clientFrame('', { isMasked: false, opcode: 9 }), protocol],
    ['a message that goes on without a beginning', clientFrame('x', { opcode: 0 }), protocol],
    ['a message within a message', Buffer.concat([clientFrame('a', { isLast: false }), clientFrame('b')]), protocol],
    ['a ping in pieces', clientFrame('', { opcode: 9, isLast: false }), protocol],
    ['a pong in pieces', clientFrame('', { opcode: 10, isLast: false }), protocol],
    ['a close in pieces', clientFrame('', { opcode: 8, isLast: false }), protocol],
    ['a ping that is too long', clientFrame(Buffer.alloc(126), { opcode: 9 }), protocol],
    ['a close that is too long', clientFrame(Buffer.alloc(126), { opcode: 8 }), protocol],
    ['a close of one byte', clientFrame(Buffer.from([3]), { opcode: 8 }), protocol],
    ...[0, 999, 1004, 1005, 1006, 1015, 2999, 5000, 65_535].map(
      (code): Case => [
        `a close with ${code}`,
        clientFrame(Buffer.from([code >> 8, code & 0xff]), { opcode: 8 }),
        protocol,
      ],
    ),
    ['a close whose reason is no text', clientFrame(Buffer.from([3, 0xe8, 0xff]), { opcode: 8 }), 1007],
    ...[1, 2, 3, 4, 5, 6, 7].map(
      (reserved): Case => [`reserved bits ${reserved}`, clientFrame('{}', { reserved }), protocol],
    ),
    ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map(
      (opcode): Case => [`opcode ${opcode}`, clientFrame('{}', { opcode }), protocol],
    ),
    ['a length of 2^63', clientFrame('x', { length: 2n ** 63n }), tooBig],
    ['a length of 2^64 - 1', clientFrame('x', { length: 2n ** 64n - 1n }), tooBig],
    ['a length of 2^53', clientFrame('x', { length: 2n ** 53n }), tooBig],
    ['a length of 2^53 - 1', clientFrame('x', { length: 2n ** 53n - 1n }), tooBig],
    ['a length of 2^32', clientFrame('x', { length: 2n ** 32n }), tooBig],
    ['one byte too many', clientFrame(Buffer.alloc(MAX_CLIENT_MESSAGE_BYTES + 1, 0x20)), tooBig],
    ['50 MB', clientFrame(Buffer.alloc(50_000_000, 0x20)), tooBig],
    ['one byte too many, in pieces', pieces(MAX_CLIENT_MESSAGE_BYTES + 1, 10_000), tooBig],
    ['one byte too many, binary', clientFrame(Buffer.alloc(MAX_CLIENT_MESSAGE_BYTES + 1), { opcode: 2 }), tooBig],
    ['as much as may be', clientFrame(Buffer.alloc(MAX_CLIENT_MESSAGE_BYTES, 0x20)), 'bad-request'],
    ['one byte less', clientFrame(padded(MAX_CLIENT_MESSAGE_BYTES - 1)), 'fine'],
    ['as much as may be, and good', clientFrame(padded(MAX_CLIENT_MESSAGE_BYTES)), 'fine'],
    ['no UTF-8', clientFrame(Buffer.from([0x22, 0xff, 0x22])), 1007],
    ['a surrogate', clientFrame(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])), 1007],
    ['a character that is cut off', clientFrame(Buffer.from([0x22, 0xe2, 0x82])), 1007],
    ['nothing', clientFrame(''), 'bad-request'],
    ['no JSON', clientFrame('subscribe'), 'bad-request'],
    ['half of it', clientFrame('{"type":"pong"'), 'bad-request'],
    ['deep JSON', clientFrame('['.repeat(450_000) + ']'.repeat(450_000)), 'bad-request'],
    ['deep JSON in a field', clientFrame(`{"type":${'{"a":'.repeat(150_000)}1${'}'.repeat(150_001)}`), 'bad-request'],
    ['a number', text(1), 'bad-request'],
    ['null', text(null), 'bad-request'],
    ['a list', text([pong]), 'bad-request'],
    ['an unknown type', text({ type: 'shutdown' }), 'bad-request'],
    ['a field too many', text({ ...pong, rights: ['run'] }), 'bad-request'],
    ['a name that is not one', clientFrame('{"__proto__":{"type":"pong"}}'), 'bad-request'],
    ['an id that is too long', text({ type: 'unsubscribe', subscriptionId: 'x'.repeat(201) }), 'bad-request'],
    [
      'too many ids',
      text({ type: 'subscribe', subscriptionId: 's', view: 'events', runs: Array(1001).fill('x') }),
      'bad-request',
    ],
    ['no cursor', text({ type: 'subscribe', subscriptionId: 's', view: 'events', cursor: '../../x' }), 'bad-request'],
    ['binary', clientFrame(JSON.stringify(pong), { opcode: 2 }), 'bad-request'],
    ['10,000 pings', Buffer.concat(Array(10_000).fill(clientFrame('x'.repeat(100), { opcode: 9 }))), 'fine'],
    ['10,000 pongs', Buffer.concat(Array(10_000).fill(clientFrame('', { opcode: 10 }))), 'fine'],
    [
      '10,000 empty pieces',
      Buffer.concat([
        clientFrame('', { isLast: false }),
        ...Array(10_000).fill(clientFrame('', { opcode: 0, isLast: false })),
      ]),
      'begun',
    ],
  ];
  return cases;
}

/** A good message of this size. */
function padded(bytes: number): Buffer {
  return Buffer.from(JSON.stringify(pong).padEnd(bytes));
}

/** One message of so many bytes. */
function pieces(bytes: number, size: number): Buffer {
  const all: Buffer[] = [clientFrame('', { isLast: false })];
  for (let left = bytes; left > 0; left -= size)
    all.push(clientFrame(Buffer.alloc(Math.min(left, size), 0x20), { opcode: 0, isLast: false }));
  return Buffer.concat(all);
}

/** Handshakes that are none. */
function hostileHandshakes(good: Record<string, string>): readonly (readonly [string, string, number])[] {
  const line = (pattern: RegExp, other: string): string => handshake(good).replace(pattern, other);
  return [
    ['no key', line(/Sec-WebSocket-Key.*\r\n/, ''), 400],
    ['a short key', line(/Sec-WebSocket-Key.*\r\n/, 'Sec-WebSocket-Key: x\r\n'), 400],
    ['another version', line(/Version: 13/, 'Version: 99'), 400],
    ['another protocol', line(/Upgrade: websocket/, 'Upgrade: h2c'), 400],
    ['headers that are too long', handshake(good, [`X-Long: ${'x'.repeat(20_000)}`]), 400],
    ['a header that is none', handshake(good, ['no header']), 400],
    ['no HTTP', 'hello\r\n\r\n', 400],
  ];
}

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
