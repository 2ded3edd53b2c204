// The list while runs are live: what is chosen stays chosen.

import type { EventOf } from '@tailrace/core';
import type { SessionInfo } from '@tailrace/protocol';
import { expect, test } from 'vitest';
import { createTestClient, testRun, testSession } from '../../../web/test/test-client.ts';
import { KEYS, type Stage, showView } from './stage.tsx';

const live = { runId: 'r', since: 1, isOurs: true, waiting: 0, progress: null, subagents: 0 } as const;
const named = (id: string, more: Partial<SessionInfo> = {}): SessionInfo =>
  testSession(id, { title: `title ${id}`, ...more });
const chosen = (stage: Stage): string | undefined => stage.rows().find((row) => row.startsWith('▌'));

test('the chosen session stays chosen while others move around it, and is the one that opens', async () => {
  const client = createTestClient({ sessions: [named('a'), named('b'), named('c'), named('d')] });
  const stage = showView({ client });
  await stage.see('title d');
  await stage.press('j', 'j');
  expect(chosen(stage)).toContain('title c');
  const drawn = stage.frames.length;
  client.sessions = [named('d', { live: { ...live, state: 'working' } }), named('a'), named('b'), named('c')];
  client.tell();
  await stage.see('WORKING');
  client.sessions = [named('a'), named('c'), named('b'), named('d', { live: { ...live, state: 'waiting' } })];
  client.tell();
  await stage.see('WAITING FOR YOU');
  for (const frame of stage.frames.slice(drawn)) {
    const bar = frame.split('\n').find((row) => row.includes('▌'));
    if (bar !== undefined) expect(bar).toContain('title c');
  }
  await stage.press(KEYS.enter);
  expect(await stage.see('3 Output')).toContain('title c');
});

test('keys that come in one read do what they would have done one by one', async () => {
  const client = createTestClient({ sessions: [named('a'), named('b'), named('c'), named('d')] });
  const stage = showView({ client });
  await stage.see('title d');
  await stage.press('j\r');
  expect(await stage.see('3 Output')).toContain('title b');
});

const asks = (requestId: string, command = 'ls'): EventOf<'permission-request'> => ({
  type: 'permission-request',
  seq: 1,
  requestId,
  toolName: 'Bash',
  input: { command },
});

test('how many wait stands in the head of the list and of every session, and the bell rings once for a new one', async () => {
  const waits = (runId: string): SessionInfo =>
    named(`session-${runId}`, { live: { ...live, runId, state: 'waiting', waiting: 1 } });
  const client = createTestClient({
    sessions: [waits('r1'), named('b')],
    runs: [testRun('r1', [asks('q1')])],
  });
  const stage = showView({ client });
  await stage.see('■ 1 waiting  a answers');
  // It waited before.
  expect(stage.rung()).toBe(0);
  await stage.press('j', KEYS.enter);
  await stage.see('3 Output');
  expect(stage.rows()[0]).toContain('title b');
  expect(stage.rows()[0]).toContain('■ 1 other waits');

  client.sessions = [waits('r2'), waits('r1'), named('b')];
  client.runs = [testRun('r1', [asks('q1')]), testRun('r2', [asks('q2')])];
  client.tell();
  await stage.see('■ 2 others wait');
  await expect.poll(() => stage.rung(), { timeout: 20_000 }).toBe(1);
  client.tell();
  await stage.press(KEYS.escape);
  await stage.see('■ 2 waiting  a answers');
  expect(chosen(stage)).toContain('title b');
  expect(stage.rung()).toBe(1);

  // What is on the screen needs no bell.
  await stage.press('k', KEYS.enter);
  await stage.see('■ 1 other waits');
  client.runs = [testRun('r1', [asks('q3', 'pwd')]), testRun('r2', [asks('q2')])];
  client.tell();
  await stage.see('Bash: pwd');
  expect(stage.rung()).toBe(1);
  // Behind the help it does.
  await stage.press('?');
  await stage.see('Everywhere');
  client.runs = [testRun('r1', [asks('q4', 'date')]), testRun('r2', [asks('q2')])];
  client.tell();
  await expect.poll(() => stage.rung(), { timeout: 20_000 }).toBe(2);
});

test('a run that waits in its own terminal rings too, and is counted', async () => {
  const client = createTestClient({ sessions: [named('a', { live: { ...live, isOurs: false, state: 'working' } })] });
  const stage = showView({ client });
  await stage.see('WORKING');
  client.sessions = [named('a', { live: { ...live, isOurs: false, since: 2, state: 'waiting' } })];
  client.tell();
  await stage.see('■ 1 waiting');
  expect(stage.rows()[0]).not.toContain('a answers');
  await expect.poll(() => stage.rung(), { timeout: 20_000 }).toBe(1);
});

test('whoever comes back from a new run stands on it', async () => {
  const client = createTestClient({ sessions: [named('a'), named('b')] });
  Object.assign(client.http, {
    projects: async () => [{ id: 'p', name: 'mill', folder: '/mill', lastUsedAt: 1 }],
    agents: async () => [{ name: 'claude', title: 'Claude Code', takes: [] }],
  });
  client.command = async () => {
    client.sessions = [named('n', { live: { ...live, state: 'idle' } }), named('a'), named('b')];
    client.tell();
    return { runId: 'r', sessionId: 'n' };
  };
  const stage = showView({ client });
  await stage.see('title b');
  await stage.press('j', 'c');
  await stage.see('what is to be done');
  await stage.press(...'Go', KEYS.enter);
  await stage.see('3 Output');
  await stage.press(KEYS.escape);
  await stage.see('EARLIER');
  expect(chosen(stage)).toContain('title n');
});
