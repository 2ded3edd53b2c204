// Frames and handshakes that no client should send, and what each has to come to.

import { MAX_CLIENT_MESSAGE_BYTES } from '@tailrace/protocol';
import { clientFrame, handshake } from './raw.ts';

/** What becomes of it: the socket is closed with a code, or the message is refused, or nothing is wrong yet, and the socket stays. */
export type Outcome = number | 'bad-request' | 'fine' | 'begun';
type Case = readonly [name: string, bytes: Uint8Array, outcome: Outcome];

/** A message as a client sends it. */
export const text = (value: unknown): Buffer => clientFrame(JSON.stringify(value));
const pong = { type: 'pong' };

/** What comes after a good handshake. */
export function hostileFrames(): readonly Case[] {
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
export function hostileHandshakes(good: Record<string, string>): readonly (readonly [string, string, number])[] {
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
