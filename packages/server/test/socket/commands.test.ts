// What a client asks of runs over its socket: done once, by whoever may.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SESSION, type Step } from '../control/runs-of-fake.ts';
import { type House, openHouse } from './house.ts';
import { connect, type Peer } from './peer.ts';

const ASK: readonly Step[] = [
  ['init'],
  ['prompt'],
  ['call', 't1', 'Bash', { command: 'ls' }],
  ['ask', 't1', 'Bash', { command: 'ls' }],

  ['text', 'There is a file.'],
  ['result', 'There is a file.'],
  ['until-stdin-ends'],
  ['exit', 0],
];

async function projectOf(house: House): Promise<string> {
  const response = await house.ask('/api/projects');
  const { items } = (await response.json()) as { items: { id: string; name: string }[] };
  return items.find(({ name }) => name === 'work')?.id ?? '';
}

/** Says a command and gives what it comes to. */
async function command(peer: Peer, commandId: string, wanted: object): Promise<object> {
  const before = peer.all('reply').length;
  peer.say({ type: 'command', commandId, command: wanted });
  await peer.until(() => peer.all('reply').length > before);
  const { result, problem } = peer.all('reply')[before] ?? {};
  return result ?? { code: problem?.code };
}

test('a run is started, seen, answered and stopped over the socket, and each wish is done once', async () => {
  const house = await openHouse();
  house.script(ASK);
  const peer = await connect(house.host, house.person);
  peer.say({ type: 'subscribe', subscriptionId: 'events', view: 'events' });
  peer.say({ type: 'subscribe', subscriptionId: 'activity', view: 'activity' });
  await peer.until(() => peer.all('live').length === 2);

  const start = { action: 'start', project: await projectOf(house), prompt: 'Look', workOrderId: 'order-7' };
  const started = (await command(peer, 'key-1', start)) as { runId: string };
  expect(await command(peer, 'key-1', start)).toEqual(started);
  expect(await command(peer, 'key-1', { ...start, prompt: 'Something else' })).toEqual({ code: 'conflict' });
  const { runId } = started;

  // Whoever has started it can listen to it at once.
  peer.say({ type: 'subscribe', subscriptionId: 'run', view: 'events', runs: [runId] });
  const asked = await peer.find('event', ({ event }) => event.type === 'permission-request');
  expect(asked).toMatchObject({ sessionId: SESSION, digest: expect.any(String) });
  expect(await peer.find('agent_tool_call')).toMatchObject({
    workOrderId: 'order-7',
    runId,
    tool: 'Bash',
    toolUseId: 't1',
  });

  const requestId = 'requestId' in asked.event ? asked.event.requestId : undefined;
  const answer = { action: 'answer', runId, requestId, digest: asked.digest, answer: { decision: 'allow' } };
  expect(await command(peer, 'key-2', { ...answer, digest: 'another' })).toEqual({ code: 'conflict' });
  // [T-21] What is no answer to this is refused, and uses nothing up.
  const form = { ...answer, answer: { decision: 'answer', content: { a: 'b' } } };
  expect(await command(peer, 'key-2a', form)).toEqual({ code: 'bad-request' });
  expect(await command(peer, 'key-2b', { ...answer, answer: { decision: 'allow', input: 'ls' } })).toEqual({
    code: 'bad-request',
  });
  const path = `/api/runs/${runId}/answer`;
  const body = { requestId, digest: asked.digest, answer: form.answer };
  const refused = await house.ask(path, { method: 'POST', body });
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { code: 'bad-request', detail: '"answer" is no answer to a permission: that is allowed or denied' },
  ]);
  expect(await command(peer, 'key-3', answer)).toMatchObject({ runId });
  expect(await command(peer, 'key-3', answer)).toMatchObject({ runId });
  expect(await command(peer, 'key-4', answer)).toEqual({ code: 'answered' });
  const result = await peer.find('agent_tool_result');
  expect(result).toMatchObject({
    workOrderId: 'order-7',
    runId,
    toolUseId: 't1',
    success: true,
    contentPreview: 'ok',
  });
  expect(await peer.find('agent_output')).toMatchObject({ runId, content: 'There is a file.' });
  // The same key on another socket of the same person is the same wish.
  const second = await connect(house.host, house.person);
  expect(await command(second, 'key-1', start)).toEqual(started);
  await peer.find('event', ({ event }) => event.type === 'run-state' && event.state === 'ended');
  expect(await command(peer, 'key-5', { action: 'stop', runId })).toEqual({ code: 'conflict' });
  expect(peer.all('event', 'run').length).toBeGreaterThan(5);
  const done = house.audit().filter(({ action }) => action === 'start' || action === 'answer');
  expect(done.map(({ action, result: one }) => `${action} ${one}`)).toEqual([
    'start done',
    'answer conflict',
    'answer bad-request',
    'answer bad-request',
    'answer done',
    'answer answered',
  ]);
});

test('two who say the same at once start one run, and one that hangs is stopped', async () => {
  const house = await openHouse();
  house.script([['init'], ['prompt'], ['text', 'Waiting.'], ['hang']]);
  const [one, two] = [await connect(house.host, house.person), await connect(house.host, house.person)];
  const start = { action: 'start', project: await projectOf(house), prompt: 'Wait' };
  const replies = await Promise.all(
    [one, two, one].map((peer) => {
      peer.say({ type: 'command', commandId: 'same', command: start });
      return peer.find('reply', ({ commandId }) => commandId === 'same');
    }),
  );
  await one.until(() => one.all('reply').length === 2);
  const runId = replies[0]?.result?.runId ?? '';
  expect(new Set([...replies, ...one.all('reply')].map((reply) => reply.result?.runId))).toEqual(new Set([runId]));
  one.say({ type: 'subscribe', subscriptionId: 's', view: 'events', runs: [runId] });
  await one.find('event', ({ event }) => event.type === 'text-end');
  expect(await command(two, 'stop', { action: 'stop', runId })).toMatchObject({ runId });
  await one.find('event', ({ event }) => event.type === 'run-state' && event.state === 'ended');
  expect(house.audit().filter(({ action }) => action === 'start')).toHaveLength(1);
});

test('[T-08] whoever may only read starts, answers and stops nothing, whatever they say they may', async () => {
  const house = await openHouse();
  house.script(ASK);
  const person = await connect(house.host, house.person);
  const project = await projectOf(house);
  const { runId } = (await command(person, 'start', { action: 'start', project, prompt: 'Look' })) as { runId: string };
  const reader = await connect(house.host, (await house.program('read')).headers);
  reader.say({ type: 'subscribe', subscriptionId: 's', view: 'events', runs: [runId] });
  const asked = await reader.find('event', ({ event }) => event.type === 'permission-request');
  const requestId = 'requestId' in asked.event ? asked.event.requestId : undefined;
  const answer = { action: 'answer', runId, requestId, digest: asked.digest, answer: { decision: 'allow' } };
  const wishes: readonly object[] = [
    { action: 'start', project, prompt: 'Mine' },
    { action: 'send', runId, text: 'More' },
    answer,
    { action: 'interrupt', runId },
    { action: 'stop', runId },
  ];
  for (const [index, wish] of wishes.entries())
    expect([wish, await command(reader, `wish-${index}`, wish)]).toEqual([wish, { code: 'refused' }]);
  // One who may run may not answer, nor allow something ahead.
  const runner = await connect(house.host, (await house.program('read', 'run')).headers);
  expect(await command(runner, 'answer', answer)).toEqual({ code: 'refused' });
  expect(await command(runner, 'ahead', { action: 'start', project, prompt: 'x', allow: ['Bash'] })).toEqual({
    code: 'refused',
  });
  // Rights are the server's to give: a message that brings some is not understood.
  const brought = [
    { type: 'command', commandId: 'k', command: answer, rights: ['answer'] },
    { type: 'command', commandId: 'k', command: { ...answer, scope: 'answer' } },
    { type: 'command', commandId: 'k', command: answer, caller: { kind: 'person' } },
    { type: 'subscribe', subscriptionId: 'x', view: 'events', rights: ['answer'] },
  ];
  for (const message of brought) reader.say(message);
  const notUnderstood = (): number =>
    [...reader.all('failed'), ...reader.all('reply')].filter(({ problem }) => problem?.code === 'bad-request').length;
  await reader.until(() => notUnderstood() === brought.length);
  const waiting = await (await house.ask('/api/runs')).json();
  expect(waiting).toMatchObject({ items: [{ runId, requests: [{ digest: asked.digest }] }] });
  expect(await command(person, 'mine', answer)).toMatchObject({ runId });
});

test('what a folder brings is told, and when it is too long for a frame, where it can be seen', async () => {
  const house = await openHouse();
  const peer = await connect(house.host, house.person);
  const project = await projectOf(house);
  const start = { action: 'start', project, prompt: 'Look' };
  const bring = (command: string): void => {
    mkdirSync(join(house.work, '.claude'), { recursive: true });
    const hooks = { Stop: [{ hooks: [{ type: 'command', command }] }] };
    writeFileSync(join(house.work, '.claude/settings.json'), JSON.stringify({ hooks }));
  };
  const refusal = async (commandId: string): Promise<unknown> => {
    peer.say({ type: 'command', commandId, command: start });
    return (await peer.find('reply', (reply) => reply.commandId === commandId)).problem;
  };
  bring('echo short');
  expect(await refusal('short')).toMatchObject({
    code: 'not-trusted',
    folder: { brought: [{ kind: 'hook', detail: expect.stringContaining('echo short') }] },
  });
  bring('x'.repeat(400_000));
  expect(await refusal('long')).toMatchObject({ code: 'not-trusted', detail: expect.stringContaining('over HTTP') });
  const response = await house.ask('/api/runs', { method: 'POST', body: { project, prompt: 'Look' } });
  expect(await response.json()).toMatchObject({ code: 'not-trusted', folder: { brought: [{ kind: 'hook' }] } });
});
