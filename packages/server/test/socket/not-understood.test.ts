// What is not understood is told to whoever asked; what is gone is told to whoever follows it.

import { expect, test } from 'vitest';
import { openHouse } from './house.ts';
import { connect } from './peer.ts';
import { answerLine, createWriter, runOf } from './writer.ts';

test('a command that is none gets its reply, and a subscription that is none its failure', async () => {
  const house = await openHouse();
  const peer = await connect(house.host, house.person);
  peer.say({ type: 'command', commandId: 'one', command: { action: 'nuke' } });
  expect(await peer.find('reply', ({ commandId }) => commandId === 'one')).toMatchObject({
    problem: { code: 'bad-request', detail: 'there is no such action' },
  });
  peer.say({ type: 'command', commandId: 'two', command: { action: 'stop' } });
  expect(await peer.find('reply', ({ commandId }) => commandId === 'two')).toMatchObject({
    problem: { code: 'bad-request', detail: expect.stringContaining('runId') },
  });
  peer.say({ type: 'subscribe', subscriptionId: 'mine', view: 'everything' });
  await peer.until(() => peer.all('failed', 'mine').length === 1);
  expect(peer.all('failed', 'mine')[0]?.problem.detail).toContain('view');
  peer.socket.send('{"type":');
  peer.socket.send('[]');
  await peer.until(() => peer.all('failed').length === 3);
});

test('whoever follows a session that is forgotten hears that it is gone', async () => {
  const house = await openHouse();
  const writer = createWriter(house.other, runOf(answerLine('a', [{ type: 'text', text: 'secret' }])));
  await writer.grow();
  await writer.end();
  await house.other.history.catchUp();
  const peer = await connect(house.host, house.person);
  peer.say({ type: 'subscribe', subscriptionId: 'one', view: 'events', sessions: [writer.sessionId] });
  await peer.until(() => peer.all('live', 'one').length === 1);
  await house.other.forget(writer.sessionId);
  await peer.until(() => peer.all('gone', 'one').length === 1);
  expect(peer.all('reset', 'one')).toHaveLength(1);
});
