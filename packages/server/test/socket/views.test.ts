// What a subscription wants is what it gets, from the beginning, from the middle, and after it was cut off.

import { type ActivityMessage, createActivity, type ServerMessage } from '@tailrace/protocol';
import type { Store } from '@tailrace/store';
import { expect, test } from 'vitest';
import { until } from '../control/runs-of-fake.ts';
import { recordedRuns } from '../feed/recordings.ts';
import { type House, openHouse } from './house.ts';
import { connect, type Peer } from './peer.ts';
import { answerLine, createWriter, resultLine, runOf, type Writer } from './writer.ts';

const run = (name: string) => {
  const found = recordedRuns.find((one) => one.name === name);
  if (!found) throw new Error(`no recording ${name}`);
  return found;
};

/** A call that is begun in one line and ends in another, some time later. */
const CALLS = [
  answerLine('a', [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'sleep' } }]),
  answerLine('b', [{ type: 'tool_use', id: 't2', name: 'Read', input: { file_path: '/x' } }]),
  answerLine('c', [{ type: 'text', text: 'Waiting.' }]),
  resultLine('d', [{ type: 'tool_result', tool_use_id: 't1', content: 'slept' }]),
  resultLine('e', [{ type: 'tool_result', tool_use_id: 't2', content: 'read' }]),
  answerLine('f', [{ type: 'text', text: 'Done.' }]),
];

async function keep(house: House, writer: Writer, count?: number): Promise<void> {
  await writer.grow(count);
  await house.other.history.catchUp();
}

/** The activity of a session as it is kept, without what depends on when it is asked. */
async function activityOf(store: Store, id: string): Promise<readonly ActivityMessage[]> {
  const fold = createActivity({ workOrderId: id, runId: id });
  const all: ActivityMessage[] = [];
  for await (const piece of store.history.events(id))
    for (const { position, events } of piece)
      if (Number.isInteger(position)) for (const event of events) all.push(...fold.add(event));
  return all;
}

function isActivity(message: ServerMessage): message is ActivityMessage {
  return /^(agent_|file_changed|progress_update)/.test(message.type);
}

function cursorOf({ frames }: Peer): string | undefined {
  return frames.filter(({ cursor }) => cursor !== undefined).at(-1)?.cursor;
}

async function live(peer: Peer, wanted: object): Promise<Peer> {
  const subscriptionId = `s${peer.frames.length}`;
  peer.say({ type: 'subscribe', subscriptionId, ...wanted });
  await peer.until(() => peer.all('live', subscriptionId).length > 0);
  return peer;
}

test('activity is replayed, and goes on after a cut in the middle of a call with its duration right', async () => {
  const house = await openHouse();
  const writer = createWriter(house.other, runOf(...CALLS));
  await keep(house, writer, 4);
  const wanted = { view: 'activity', sessions: [writer.sessionId] };
  const first = await live(await connect(house.host, house.person), wanted);
  const cursor = cursorOf(first);
  first.socket.terminate();
  await keep(house, writer);
  const second = await live(await connect(house.host, house.person), { ...wanted, cursor });
  const seen = [...first.messages, ...second.messages].filter(isActivity);
  expect(seen).toEqual(await activityOf(house.store, writer.sessionId));
  const results = seen.filter((message) => message.type === 'agent_tool_result');
  expect(results.map(({ toolUseId, durationMs }) => [toolUseId, durationMs])).toEqual([
    ['t1', 3],
    ['t2', 3],
  ]);
  // The same for somebody who joins those who were there before, in the middle of a call.
  const other = createWriter(house.other, runOf(...CALLS));
  const all = await live(await connect(house.host, house.person), { view: 'activity' });
  await keep(house, other, 4);
  await all.find('agent_output');
  const late = await live(await connect(house.host, house.person), { view: 'activity' });
  await keep(house, other);
  await late.find('agent_output', ({ content }) => content === 'Done.');
  expect(late.all('agent_tool_result').map(({ durationMs }) => durationMs)).toEqual([3, 3]);
  await all.find('agent_output', ({ content }) => content === 'Done.');
  expect(all.messages.filter(isActivity)).toEqual(await activityOf(house.store, other.sessionId));
  await writer.end();
  await other.end();
});

test('[W-07] what is switched off is not sent', async () => {
  const house = await openHouse();
  const writer = createWriter(house.other, run('demo'));
  await keep(house, writer);
  const kept = await activityOf(house.store, writer.sessionId);
  const switches = {
    includeToolCalls: 'agent_tool_call',
    includeToolResults: 'agent_tool_result',
    includeOutput: 'agent_output',
    includeFileChanges: 'file_changed',
    includeProgress: 'progress_update',
  };
  for (const [name, type] of Object.entries(switches)) {
    const wanted = { view: 'activity', sessions: [writer.sessionId], [name]: false };
    const peer = await live(await connect(house.host, house.person), wanted);
    expect(peer.messages.filter(isActivity)).toEqual(kept.filter((message) => message.type !== type));
  }
  await writer.end();
});

test('a filter by tool knows in the middle of a call whose it is', async () => {
  const house = await openHouse();
  const writer = createWriter(house.other, runOf(...CALLS));
  await keep(house, writer, 4);
  const wanted = { view: 'events', sessions: [writer.sessionId], filter: { tools: ['Bash'] } };
  const first = await live(await connect(house.host, house.person), wanted);
  const cursor = cursorOf(first);
  first.socket.terminate();
  await keep(house, writer);
  const second = await live(await connect(house.host, house.person), { ...wanted, cursor });
  const calls = [...first.all('event'), ...second.all('event')].flatMap(({ event }) =>
    'toolCallId' in event && event.toolCallId !== undefined ? [`${event.toolCallId} ${event.type}`] : [],
  );
  expect(calls).toEqual(['t1 tool-call-start', 't1 tool-call-input-end', 't1 tool-call-end']);
  expect(second.all('event').some(({ event }) => event.type === 'text-end')).toBe(true);
  await writer.end();
});

test('kinds, agents, sub-agents and projects', async () => {
  const house = await openHouse();
  const peer = await connect(house.host, house.person);
  const name = recordedRuns.find(({ lines }) =>
    lines.some(({ bytes }) => Buffer.from(bytes).includes('"name":"Agent"')),
  );
  const writer = createWriter(house.other, name ?? run('demo'));
  const plain = createWriter(house.other, run('basic-text'));
  await keep(house, plain);
  await keep(house, writer);
  const sessions = [writer.sessionId];
  const events = async (filter: object): Promise<readonly string[]> => {
    const one = await live(await connect(house.host, house.person), { view: 'events', sessions, filter });
    return one.all('event').map(({ event }) => `${event.type} ${'subagentId' in event ? event.subagentId : ''}`);
  };
  const all = await events({});
  const subagents = new Set(all.map((one) => one.split(' ')[1]).filter((id) => id !== '' && id !== 'undefined'));
  expect(subagents.size).toBeGreaterThan(0);
  const [id = ''] = subagents;
  const isOf = (one: string, wanted: readonly string[]): boolean => {
    const own = one.split(' ')[1];
    return own === '' || own === 'undefined' || wanted.includes(own ?? '');
  };
  expect(await events({ subagents: 'none' })).toEqual(all.filter((one) => isOf(one, [])));
  expect(await events({ subagents: [id] })).toEqual(all.filter((one) => isOf(one, [id])));
  expect(await events({ kinds: ['text-end', 'turn-end'] })).toEqual(all.filter((one) => /^(text|turn)-end /.test(one)));
  expect(await events({ kinds: ['no-such-kind'] })).toEqual([]);
  expect(await events({ agents: ['claude'] })).toEqual(all);
  expect(await events({ agents: ['codex'] })).toEqual([]);
  const listed = (await (await house.ask(`/api/sessions/${writer.sessionId}`)).json()) as { projectId: string };
  expect(await events({ projects: [listed.projectId] })).toEqual(all);
  expect(await events({ projects: ['another'] })).toEqual([]);
  expect(peer.closed).toBeUndefined();
  await writer.end();
  await plain.end();
});

test('a run that is named: its session from its first line on, and nothing else', async () => {
  const house = await openHouse();
  const writer = createWriter(house.other, runOf(...CALLS));
  const other = createWriter(house.other, run('basic-text'));
  await keep(house, writer, 3);
  await keep(house, other);
  const peer = await live(await connect(house.host, house.person), { view: 'events', runs: [writer.runId] });
  await keep(house, writer);
  await peer.find('event', ({ event }) => event.type === 'text-end' && event.text === 'Done.');
  expect(new Set(peer.all('event').map(({ sessionId }) => sessionId))).toEqual(new Set([writer.sessionId]));
  expect(peer.all('event')[0]?.event.type).toBe('session-start');
  peer.say({ type: 'subscribe', subscriptionId: 'none', view: 'events', runs: ['none'] });
  expect((await peer.find('failed')).problem.code).toBe('not-found');
  await writer.end();
  await other.end();
});

test('a run can be listened to as soon as its first line is kept', async () => {
  const house = await openHouse();
  const peer = await connect(house.host, house.person);
  for (let count = 0; count < 20; count++) {
    const writer = createWriter(house.other, runOf(...CALLS));
    await writer.grow(1);
    // Nobody has looked at the record since.
    peer.say({ type: 'subscribe', subscriptionId: `run-${count}`, view: 'events', runs: [writer.runId] });
    await peer.until(() => peer.all('live', `run-${count}`).length + peer.all('failed').length > 0);
    expect(peer.all('failed')).toEqual([]);
    await writer.end();
  }
});

test('sessions as they stand in the list are told when they change', async () => {
  const house = await openHouse();
  const peer = await live(await connect(house.host, house.person), { view: 'sessions' });
  const writer = createWriter(house.other, run('demo'));
  await writer.grow(3);
  const begun = await peer.find('session', ({ session }) => session.id === writer.sessionId);
  expect(begun.session).toMatchObject({ agent: 'claude', status: 'running' });
  await writer.grow();
  await writer.end();
  const ended = await peer.find(
    'session',
    ({ session }) => session.id === writer.sessionId && session.status !== 'running',
  );
  const listed = await (await house.ask('/api/sessions')).json();
  expect((listed as { items: unknown[] }).items).toContainEqual(ended.session);
  await house.ask(`/api/sessions/${writer.sessionId}`, { method: 'PATCH', body: { starred: true } });
  await peer.find('session', ({ session }) => session.starred);
  const named = await live(await connect(house.host, house.person), { view: 'sessions', sessions: ['another'] });
  const filtered = await live(await connect(house.host, house.person), {
    view: 'sessions',
    filter: { agents: ['codex'] },
  });
  await house.ask(`/api/sessions/${writer.sessionId}`, { method: 'PATCH', body: { starred: false } });
  await peer.until(() => peer.all('session').at(-1)?.session.starred === false);
  expect([...named.all('session'), ...filtered.all('session')]).toEqual([]);
  await until(() => house.server.counts.listeners === 3);
});
