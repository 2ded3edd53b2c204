// Who is there, who is gone, and who may no longer be.

import { decodeCursor } from '@tailrace/protocol';
import { expect, test } from 'vitest';
import { CLOSED_AWAY, CLOSED_OUT, LET_GO_MS } from '../../src/socket/limits.ts';
import { until } from '../control/runs-of-fake.ts';
import { openHouse } from './house.ts';
import { connect } from './peer.ts';
import { clientFrame, handshake, speak } from './raw.ts';
import { answerLine, createWriter, runOf } from './writer.ts';

const heartbeatMs = 50;

test('whoever does not answer is let go, whoever does stays', async () => {
  const house = await openHouse({ heartbeatMs });
  const { headers } = await house.program('read');
  const good = await connect(house.host, headers);
  const silent = await connect(house.host, headers, { isAnswering: false });
  expect(await good.find('hello')).toEqual({
    type: 'hello',
    protocol: 1,
    version: '1.2.3',
    epoch: await house.store.epoch(),
    heartbeatMs,
  });
  good.say({ type: 'subscribe', subscriptionId: 's', view: 'events' });
  silent.say({ type: 'subscribe', subscriptionId: 's', view: 'events' });
  await silent.until(({ closed }) => closed);
  expect(silent.all('ping').length).toBeGreaterThanOrEqual(2);
  await good.until(() => good.all('ping').length > silent.all('ping').length + 5);
  expect(good.closed).toBeUndefined();
  await until(() => house.server.counts.sockets === 1 && house.server.counts.listeners === 1);
});

test('a ping of the socket itself is answered', async () => {
  const house = await openHouse();
  const { headers } = await house.program('read');
  const raw = await speak(house.server.port, handshake({ host: house.host, ...headers }));
  await raw.until(({ messages }) => messages.length > 0);
  raw.socket.write(clientFrame('who is there', { opcode: 9 }));
  await raw.until(({ frames }) => frames.some(({ opcode }) => opcode === 10));
  expect(raw.frames.find(({ opcode }) => opcode === 10)?.payload.toString()).toBe('who is there');
});

test('the cursor moves on where nothing is wanted', async () => {
  const house = await openHouse({ heartbeatMs });
  const peer = await connect(house.host, house.person);
  peer.say({ type: 'subscribe', subscriptionId: 's', view: 'events', filter: { kinds: ['question-request'] } });
  await peer.find('live');
  const writer = createWriter(house.other, runOf(answerLine('a', [{ type: 'text', text: 'hello' }])));
  await writer.grow();
  const last = await house.store.record.last();
  await peer.until(({ frames }) =>
    frames.some(({ cursor, messages }) => messages.length === 0 && (decodeCursor(cursor ?? '')?.position ?? 0) >= last),
  );
  expect(peer.all('event')).toEqual([]);
  await writer.end();
});

test('signing out closes the sockets of that sign-in, and no others', async () => {
  const house = await openHouse();
  const { headers } = await house.program('read');
  const mine = [await connect(house.host, house.person), await connect(house.host, house.person)];
  const other = await connect(house.host, headers);
  expect((await house.ask('/api/sign-out', { method: 'POST', body: {} })).status).toBeLessThan(300);
  for (const peer of mine) {
    await peer.until(({ closed }) => closed);
    expect(peer.closed).toEqual({ code: CLOSED_OUT, reason: 'signed out' });
  }
  other.say({ type: 'subscribe', subscriptionId: 's', view: 'events' });
  await other.find('live');
  await expect(connect(house.host, house.person)).rejects.toThrow();
});

test('a token that is taken back closes its sockets, also of somebody who reads nothing', async () => {
  const house = await openHouse();
  const { id, headers } = await house.program('read');
  const kept = await house.program('read');
  const peer = await connect(house.host, headers);
  const other = await connect(house.host, kept.headers);
  const deaf = await speak(house.server.port, handshake({ host: house.host, ...headers }));
  await deaf.until(({ messages }) => messages.length > 0);
  deaf.socket.pause();
  const writer = createWriter(house.other, runOf(answerLine('a', [{ type: 'text', text: 'hello' }])));
  peer.say({ type: 'subscribe', subscriptionId: 's', view: 'events' });
  other.say({ type: 'subscribe', subscriptionId: 's', view: 'events' });
  await peer.find('live');
  await other.find('live');
  expect((await house.ask(`/api/programs/${id}`, { method: 'DELETE' })).status).toBeLessThan(300);
  await peer.until(({ closed }) => closed);
  expect(peer.closed?.code).toBe(CLOSED_OUT);
  const before = peer.messages.length;
  await writer.grow();
  await other.find('event');
  expect(peer.messages).toHaveLength(before);
  const since = performance.now();
  await until(() => house.server.counts.sockets === 1);
  expect(performance.now() - since).toBeLessThan(LET_GO_MS * 6);
  await writer.end();
});

test('when the server ends everybody is told, and nobody comes in any more', async () => {
  const house = await openHouse();
  const { headers } = await house.program('read');
  const peer = await connect(house.host, house.person);
  // Its handshake is begun, and is finished while the server ends.
  const text = handshake({ host: house.host, ...headers });
  const late = await speak(house.server.port, text.slice(0, -2));
  const deaf = await speak(house.server.port, text);
  await deaf.until(({ messages }) => messages.length > 0);
  const restarted = house.restart();
  await peer.until(({ closed }) => closed);
  expect(peer.closed?.code).toBe(CLOSED_AWAY);
  late.socket.write('\r\n');
  await late.until(({ isClosed }) => isClosed);
  expect(late.status === undefined || late.status === 503).toBe(true);
  expect(late.frames).toEqual([]);
  await restarted;
  expect(await (await house.ask('/api/health')).json()).toBeDefined();
});
