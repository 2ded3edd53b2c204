// What other processes bring while a server runs: each appears as a session on an open socket, without anybody asking again.

import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ServerMessage } from '@tailrace/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { call, fixtures, start } from '../command.ts';
import { type Listening, signIn } from './person.ts';
import { createPlace, type Served, serve } from './served.ts';

const SESSION = '22222222-3333-4444-8555-666666666666';

interface Ears {
  readonly sessions: Listening;
  readonly events: Listening;
}

async function listenTo(served: Served): Promise<Ears> {
  const person = await signIn(served);
  return { sessions: await person.listen(), events: await person.listen({ view: 'events' }) };
}

/** A session of this id that is in such a state. */
const isSession =
  (id: string, status: string) =>
  (message: ServerMessage): boolean =>
    message.type === 'session' && message.session.id === id && message.session.status === status;

const isEvent =
  (type: string, holds = '') =>
  (message: ServerMessage): boolean =>
    message.type === 'event' && message.event.type === type && JSON.stringify(message.event).includes(holds);

test('`tailrace run` in another terminal', async () => {
  const place = createPlace();
  const go = join(place.folder, 'go');
  place.script([['init'], ['prompt'], ['text', 'Hello there.'], ['await-file', go], ['result']]);
  const { sessions, events } = await listenTo(await serve(place));
  const run = call(['run', '--cwd', place.project, 'Say hello'], { env: { ...place.env, FAKE_SESSION: SESSION } });
  // While it goes on.
  await events.hear(isEvent('text-end', 'Hello there.'));
  expect(await sessions.hear(isSession(SESSION, 'running'))).toMatchObject({
    session: { agent: 'claude', cwd: place.project, title: 'Say hello' },
  });
  writeFileSync(go, '');
  expect((await run).code).toBe(0);
  await events.hear(isEvent('turn-end'));
  await sessions.hear(isSession(SESSION, 'success'));
});

test('a pipe that is kept: `tailrace replay … | tailrace --record`', async () => {
  const place = createPlace();
  const { sessions, events } = await listenTo(await serve(place));
  const { stdout } = await call(['replay', `${fixtures}basic-text.ndjson`, '--speed', '0']);
  const lines = stdout.split(/(?<=\n)/);
  const id = JSON.parse(lines[0] ?? '').session_id;
  const record = start(['--record'], { env: place.env });
  onTestFinished(() => void record.kill('SIGKILL'));
  const ended = new Promise((resolve) => record.once('close', resolve));
  record.stdout?.resume();
  record.stdin?.write(lines.slice(0, -1).join(''));
  await sessions.hear(isSession(id, 'running'));
  await events.hear(isEvent('text-end'));
  record.stdin?.end(lines.at(-1));
  expect(await ended).toBe(0);
  await events.hear(isEvent('turn-end'));
  await sessions.hear(isSession(id, 'success'));
});

test('payloads of hooks', async () => {
  const place = createPlace();
  const { sessions, events } = await listenTo(await serve(place));
  const hook = (payload: object) =>
    call(['hook'], {
      env: place.env,
      input: [Buffer.from(JSON.stringify({ session_id: SESSION, cwd: place.project, ...payload }))],
    });
  await hook({ hook_event_name: 'SessionStart', source: 'startup' });
  await sessions.hear((message) => message.type === 'session' && message.session.id === SESSION);
  const tool = { tool_name: 'Bash', tool_input: { command: 'make all' }, tool_use_id: 'toolu_1' };
  await hook({ hook_event_name: 'PreToolUse', ...tool });
  await events.hear(isEvent('tool-call-start'));
});

test('a session file of the agent that grows', async () => {
  const place = createPlace();
  const { sessions, events } = await listenTo(await serve(place));
  const lines = readFileSync(`${fixtures}basic-text.transcript.jsonl`, 'utf8').split(/(?<=\n)/);
  const id = lines.map((line) => JSON.parse(line).sessionId).find(Boolean);
  const file = join(place.folder, 'claude/projects/-work', `${id}.jsonl`);
  mkdirSync(dirname(file));
  for (const line of lines) {
    const { type, message } = JSON.parse(line);
    appendFileSync(file, line);
    if (type === 'user') await sessions.hear((one) => one.type === 'session' && one.session.id === id);
    if (type === 'assistant') await events.hear(isEvent('message-start', message.id));
  }
  expect(lines.length).toBeGreaterThan(2);
});
