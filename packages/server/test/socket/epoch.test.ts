// When what was told is no longer so, everybody hears of it; and a server that starts again goes on where the old one was.

import { expect, test } from 'vitest';
import { until } from '../control/runs-of-fake.ts';
import { compare } from '../feed/compare.ts';
import { recordedRuns } from '../feed/recordings.ts';
import { createFollower } from './follower.ts';
import { openHouse } from './house.ts';
import { connect, type Peer } from './peer.ts';
import { answerLine, createWriter, runOf } from './writer.ts';

const hello = (text: string) => runOf(answerLine('a', [{ type: 'text', text }]));

async function live(peer: Peer, subscriptionId: string, wanted: object): Promise<void> {
  peer.say({ type: 'subscribe', subscriptionId, ...wanted });
  await peer.until(() => peer.all('live', subscriptionId).length > 0);
}

test.each(['forget', 'rebuild'] as const)('%s: everybody begins anew', async (what) => {
  const house = await openHouse();
  const [one, two] = [createWriter(house.other, hello('one')), createWriter(house.other, hello('two'))];
  for (const writer of [one, two]) {
    await writer.grow();
    await writer.end();
  }
  await house.other.history.catchUp();
  const epoch = await house.store.epoch();
  const peer = await connect(house.host, house.person);
  await live(peer, 'all', { view: 'events' });
  await live(peer, 'one', { view: 'events', sessions: [one.sessionId] });
  await live(peer, 'activity', { view: 'activity', runs: [one.runId] });
  await live(peer, 'sessions', { view: 'sessions' });
  const old = peer.frames.filter(({ subscriptionId }) => subscriptionId === 'one').at(-1)?.cursor;
  const before = peer.all('event', 'one').map(({ event }) => event.type);
  if (what === 'forget') await house.other.forget(two.sessionId);
  else await house.other.history.rebuild();
  const now = await house.store.epoch();
  if (what === 'forget') expect(now).not.toBe(epoch);
  // A rebuild that comes to the same is no news.
  if (now === epoch) return;
  for (const name of ['all', 'one', 'activity', 'sessions'])
    await peer.until(() => peer.all('reset', name).some((reset) => reset.epoch === now));
  await peer.until(() => peer.all('live', 'one').length === 2 && peer.all('live', 'activity').length === 2);
  expect(peer.all('event', 'one').map(({ event }) => event.type)).toEqual([...before, ...before]);
  expect(peer.all('agent_output', 'activity').map(({ content }) => content)).toEqual(['one', 'one']);
  // Whoever comes with a cursor of the old epoch is told the same.
  const late = await connect(house.host, house.person);
  await live(late, 'one', { view: 'events', sessions: [one.sessionId], cursor: old });
  expect(late.messages.slice(1, 2)).toEqual([{ type: 'reset', epoch: now }]);
  expect(late.all('event').map(({ event }) => event.type)).toEqual(before);
  const next = createWriter(house.other, hello('three'));
  await next.grow();
  await peer.find('event', ({ sessionId }) => sessionId === next.sessionId);
  await next.end();
});

test('a session that turns out to be a part of another is gone, and says where to', async () => {
  const house = await openHouse();
  const peer = await connect(house.host, house.person);
  await live(peer, 'all', { view: 'events' });
  await live(peer, 'sessions', { view: 'sessions' });
  // Of a stream whose first lines name no session it is not yet known whose they are.
  const run = recordedRuns.find(({ name }) => name === 'basic-text');
  const noise = { at: 1, source: 'stdout', bytes: Buffer.from('starting up\n') } as const;
  const writer = createWriter(house.other, { lines: [noise, ...(run?.lines ?? [])] });
  await writer.grow(1);
  const { sessionId } = await peer.find('event');
  expect(sessionId).not.toBe(writer.sessionId);
  await live(peer, 'one', { view: 'events', sessions: [sessionId] });
  await live(peer, 'run', { view: 'events', runs: [writer.runId] });
  await writer.grow();
  await peer.find('gone', (gone) => gone.sessionId === sessionId && gone.movedTo === writer.sessionId);
  for (const name of ['all', 'one'])
    await peer.until(() => peer.all('gone', name).some((gone) => gone.movedTo === writer.sessionId));
  await peer.until(() => peer.all('gone', 'sessions').some((gone) => gone.sessionId === sessionId));
  // Whoever follows the run follows it there.
  await peer.until(() => peer.all('event', 'run').some(({ event }) => event.type === 'turn-end'));
  expect(peer.all('event', 'run').at(-1)?.sessionId).toBe(writer.sessionId);
  await writer.end();
});

test('a server that is started again goes on for those who were there', async () => {
  const house = await openHouse();
  const follower = createFollower({ host: () => house.host, headers: () => house.person });
  const long = createWriter(house.other, recordedRuns.find(({ name }) => name === 'demo') ?? hello('x'));
  await long.grow(3);
  await house.other.history.catchUp();
  const all = follower.listen('all', { view: 'events' });
  const one = follower.listen('one', { view: 'events', sessions: [long.sessionId] });
  await until(() => follower.isLive);
  for (let count = 0; count < 3; count++) {
    await long.grow(5);
    await until(() => (one.sessions.get(long.sessionId)?.events.length ?? 0) > 0);
    const restarted = house.restart();
    await long.grow(5);
    await restarted;
    await until(() => follower.isLive);
  }
  await long.grow();
  await long.end();
  await house.other.history.catchUp();
  await until(() => one.sessions.get(long.sessionId)?.closing !== undefined);
  await until(() => all.sessions.get(long.sessionId)?.closing !== undefined);
  await compare(house.store, one, long.sessionId, true);
  await compare(house.store, all, long.sessionId, false);
  expect([...one.others, ...all.others]).toEqual([]);
});
