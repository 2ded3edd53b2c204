// Commands are done once, whatever becomes of the connection.

import { createProblem, MAX_CLIENT_MESSAGE_BYTES } from '@tailrace/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Client, createClient } from '../src/client.ts';
import { isClientError } from '../src/errors.ts';
import { MAX_COMMANDS, MAX_UNANSWERED } from '../src/limits.ts';
import { CUTS, startTestServer, type TestServer } from './test-server.ts';
import { fastClock, until } from './tools.ts';

let server: TestServer;
let client: Client;
/** What the server does with the command that it hears: it answers, or breaks the connection before it could. */
let isAnswering = true;

beforeEach(async () => {
  isAnswering = true;
  server = await startTestServer({
    heartbeatMs: 5000,
    reply: ({ command }) => {
      if (!isAnswering) return undefined;
      if (command.action === 'stop' && command.runId === 'gone')
        return { problem: createProblem('not-found', 'no run') };
      return command.action === 'interrupt' ? {} : { result: { runId: 'r1', sessionId: 's1' } };
    },
  });
  client = createClient({ url: server.url, WebSocket, clock: fastClock(20) });
});
afterEach(async () => {
  client.close();
  await server.close();
});

test('a reply is its result, or its problem as an error', async () => {
  expect(await client.command({ action: 'start', project: 'p', prompt: 'x' })).toEqual({
    runId: 'r1',
    sessionId: 's1',
  });
  expect(await client.command({ action: 'interrupt', runId: 'r7' })).toEqual({ runId: 'r7' });
  const failure = await client.command({ action: 'stop', runId: 'gone' }).catch((error: unknown) => error);
  expect(isClientError(failure)).toBe(true);
  expect(failure).toMatchObject({
    code: 'not-found',
    message: 'There is no such thing: no run',
    problem: { status: 404 },
  });
});

test.each(CUTS)('one whose reply was lost (%s) is said again with the same key', async (how) => {
  // Nothing comes of these connections, so the waits grow.
  const rounds = 4;
  isAnswering = false;
  const asked = client.command({ action: 'send', runId: 'r', text: 'go on' });
  for (let round = 1; round <= rounds; round++) {
    await until(() => server.commands.length >= round && server.peers.length === 1);
    isAnswering = round === rounds;
    server.peers[0]?.cut(how);
  }
  expect(await asked).toEqual({ runId: 'r1', sessionId: 's1' });
  expect(server.connections).toBeGreaterThan(rounds);
  expect(new Set(server.commands.map(({ commandId }) => commandId)).size).toBe(1);
  // What was answered is not said again.
  const sends = (): number => server.commands.filter(({ command }) => command.action === 'send').length;
  const before = sends();
  server.peers[0]?.cut('reset');
  await client.command({ action: 'interrupt', runId: 'r' });
  expect(sends()).toBe(before);
});

test('two have two keys, and one that waits is not asked again under its key', async () => {
  isAnswering = false;
  const command = { action: 'stop', runId: 'r' } as const;
  const first = client.command(command, { commandId: 'mine' });
  const second = client.command(command);
  await expect(client.command(command, { commandId: 'mine' })).rejects.toMatchObject({ code: 'conflict' });
  await until(() => server.commands.length === 2);
  expect(new Set(server.commands.map(({ commandId }) => commandId)).size).toBe(2);
  isAnswering = true;
  server.peers[0]?.cut('reset');
  await Promise.all([first, second]);
});

test('one that nobody waits for any more is not said again', async () => {
  isAnswering = false;
  const giveUp = new AbortController();
  const asked = client.command({ action: 'stop', runId: 'r' }, { signal: giveUp.signal });
  const refusal = expect(asked).rejects.toMatchObject({ code: 'aborted' });
  await until(() => server.commands.length === 1);
  giveUp.abort();
  await refusal;
  isAnswering = true;
  server.peers[0]?.cut('reset');
  await client.command({ action: 'interrupt', runId: 'r' });
  expect(server.commands.map(({ command }) => command.action)).toEqual(['stop', 'interrupt']);
  await expect(client.command({ action: 'stop', runId: 'r' }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'aborted',
  });
});

test('one that is too large for a message is refused here, at the very byte', async () => {
  const commandId = 'k';
  const text = (bytes: number): string => {
    const empty = { type: 'command', commandId, command: { action: 'send', runId: 'r', text: '' } };
    return 'x'.repeat(bytes - JSON.stringify(empty).length);
  };
  const send = (bytes: number) => client.command({ action: 'send', runId: 'r', text: text(bytes) }, { commandId });
  await expect(send(MAX_CLIENT_MESSAGE_BYTES + 1)).rejects.toMatchObject({ code: 'too-large' });
  expect(await send(MAX_CLIENT_MESSAGE_BYTES)).toMatchObject({ runId: 'r1' });
  expect(() => client.subscribe({ view: 'events', sessions: ['x'.repeat(2_000_000)] }, () => undefined)).toThrow(
    'bytes',
  );
});

test('no more than a thousand wait, and a server is not given more at once than it takes', async () => {
  isAnswering = false;
  const asked = Array.from({ length: MAX_COMMANDS }, () => client.command({ action: 'stop', runId: 'r' }));
  await expect(client.command({ action: 'stop', runId: 'r' })).rejects.toMatchObject({ code: 'too-many' });
  const subscriptions = Array.from({ length: 3 * MAX_UNANSWERED }, () =>
    client.subscribe({ view: 'sessions' }, () => undefined),
  );
  const said = (): number => server.peers[0]?.heard.filter(({ type }) => type === 'command').length ?? 0;
  await until(() => said() >= MAX_UNANSWERED && subscriptions.every(({ status }) => status.state === 'live'));
  expect(said()).toBe(MAX_UNANSWERED);
  isAnswering = true;
  server.peers[0]?.cut('reset');
  expect(await Promise.all(asked)).toHaveLength(MAX_COMMANDS);
});

test('a subscription that is closed before it was said is never said', async () => {
  server.isMute = true;
  const subscriptions = Array.from({ length: MAX_UNANSWERED + 2 }, () =>
    client.subscribe({ view: 'sessions' }, () => undefined),
  );
  await until(() => server.peers[0]?.heard.length === MAX_UNANSWERED);
  const [peer] = server.peers;
  subscriptions.at(-2)?.close();
  subscriptions[0]?.close();
  await until(() => peer?.heard.length === MAX_UNANSWERED + 2);
  expect(peer?.heard.slice(-2)).toMatchObject([
    { type: 'subscribe', subscriptionId: `s${MAX_UNANSWERED + 2}` },
    { type: 'unsubscribe', subscriptionId: 's1' },
  ]);
});
