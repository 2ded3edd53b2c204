// The runs of a program, by our id and by the session's; their checkpoints; how their end is told.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCheckpoints, createRegistry, MAX_CHECKPOINTS, type RunOptions } from '../src/index.ts';
import { claude, play, program, type Step, temporaryFolder, until } from './fake.ts';

const SESSION = '11111111-2222-4333-8444-555555555555';

function script(
  steps: readonly Step[],
  more: Record<string, string> = {},
): Pick<RunOptions, 'agent' | 'prompt' | 'program' | 'cwd' | 'env' | 'watchFiles'> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'script.json'), JSON.stringify(steps));
  const env = { PATH: process.env['PATH'], HOME: folder, FAKE_AGENT: join(folder, 'script.json'), ...more };
  return { agent: claude, prompt: 'Do it', program, cwd: folder, env, watchFiles: false };
}

test('[G-03] the session that the agent reports is told by the callback, with its tools', async () => {
  const sessions: unknown[] = [];
  const { run } = await play([['init'], ['prompt'], ['result'], ['exit', 0]], {
    onSession: (session) => sessions.push(session),
  });
  await run.ended;
  expect(sessions).toEqual([{ sessionId: SESSION, tools: ['Bash', 'Read', 'Write'] }]);
});

test("[G-10] a run is registered under its own id, found by the session's when that is told, and gone at its exit", async () => {
  const registry = createRegistry();
  const go = join(temporaryFolder(), 'go');
  const run = await registry.start({ ...script([['await-file', go], ['init'], ['prompt'], ['hang']]), asks: true });
  expect(run.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  expect(registry.keyOf(run)).toBe(run.id);
  expect(registry.get(run.id)).toBe(run);
  expect(registry.get(SESSION)).toBeUndefined();
  writeFileSync(go, '');
  await until(() => registry.get(SESSION) === run);
  expect(registry.keyOf(run)).toBe(SESSION);
  expect(registry.get(run.id)).toBe(run);
  expect(registry.runs).toEqual([run]);
  await run.kill();
  expect(registry.runs).toEqual([]);
  expect(registry.get(SESSION)).toBeUndefined();
});

test('of two runs in one session the newest is found, and the end of one leaves the other', async () => {
  const registry = createRegistry();
  const first = await registry.start({ ...script([['init'], ['prompt'], ['hang']]), asks: true });
  await until(() => registry.get(SESSION) === first);
  const second = await registry.start({ ...script([['init'], ['prompt'], ['hang']]), asks: true });
  await until(() => registry.get(SESSION) === second);
  await second.kill();
  expect(registry.get(SESSION)).toBe(first);
  await registry.stopAll();
  expect(registry.runs).toEqual([]);
});

test('the session that was asked for, the reported one and the one on disk are kept apart', async () => {
  const asked = '99999999-2222-4333-8444-555555555555';
  const options = script([['init'], ['prompt'], ['session-file', asked], ['result'], ['exit', 0]]);
  const registry = createRegistry();
  const run = await registry.start({ ...options, resume: asked });
  await run.ended;
  expect(run.sessionIds).toEqual({ asked, reported: SESSION, onDisk: asked });
});

test('[G-04] the id of each prompt is a checkpoint; results of tools and what the CLI says itself are none', async () => {
  const registry = createRegistry();
  const run = await registry.start({
    ...script([
      ['init'],
      ['prompt'],
      ['call', 'c1', 'Bash'],
      ['done', 'c1'],
      ['synthetic', 'Continue.'],
      ['result'],
      ['reply-to-prompts'],
    ]),
    conversation: true,
  });
  await until(() => run.state === 'idle');
  const second = run.send('More');
  await until(() => registry.checkpoints(SESSION).length === 2);
  const [one, two] = registry.checkpoints(SESSION);
  expect(one).toMatchObject({ sessionId: SESSION, text: 'Do it' });
  expect(two).toMatchObject({ id: second, text: 'More' });
  run.close();
  await run.ended;
  expect(registry.checkpoints(SESSION)).toHaveLength(2);
  registry.clearCheckpoints('another');
  expect(registry.checkpoints(SESSION)).toHaveLength(2);
  registry.clearCheckpoints(SESSION);
  expect(registry.checkpoints(SESSION)).toEqual([]);
});

test('[G-04] at most 100 checkpoints per session, in their order, the oldest dropped, none twice', () => {
  const checkpoints = createCheckpoints();
  const say = (sessionId: string, messageId: string): void =>
    checkpoints.add({
      type: 'user-message',
      seq: 0,
      sessionId,
      messageId,
      origin: 'replay',
      content: [{ type: 'text', text: messageId }],
    });
  for (let index = 0; index < MAX_CHECKPOINTS - 1; index++) say('a', `p${index}`);
  say('b', 'other');
  expect(checkpoints.of('a')).toHaveLength(99);
  say('a', 'p99');
  say('a', 'p5');
  expect(checkpoints.of('a')).toHaveLength(100);
  say('a', 'p100');
  expect(checkpoints.of('a').map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, index) => `p${index + 1}`));
  expect(checkpoints.of('b')).toHaveLength(1);
  // One that was dropped is no new one when it is told again.
  say('a', 'p0');
  expect(checkpoints.of('a').map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, index) => `p${index + 1}`));
  checkpoints.clear('a');
  say('a', 'p0');
  expect(checkpoints.of('a')).toHaveLength(1);
});

test.each<[string, readonly Step[], object]>([
  ['exit 0 without a result is a success', [['init'], ['exit', 0]], { success: true, aborted: false }],
  [
    'an error result is none, though the exit is 0',
    [['init'], ['prompt'], ['failure', 'API Error: 400'], ['exit', 0]],
    { success: false, aborted: false, error: expect.stringContaining('API Error: 400') },
  ],
  ['TERM is an abort', [['init'], ['die', 'SIGTERM']], { success: false, aborted: true, signal: 'SIGTERM' }],
  ['KILL is an abort', [['init'], ['die', 'SIGKILL']], { success: false, aborted: true, signal: 'SIGKILL' }],
  [
    'an error names code and stderr',
    [
      ['stderr', 'no such option'],
      ['exit', 2],
    ],
    { success: false, exitCode: 2, error: expect.stringMatching(/exit code 2.*no such option/) },
  ],
  [
    'a success tells tokens and cost',
    [['init'], ['prompt'], ['result'], ['exit', 0]],
    {
      success: true,
      sessionId: SESSION,
      cost: { amount: 0.001, currency: 'USD' },
      usage: expect.objectContaining({ outputTokens: 5 }),
    },
  ],
])('[G-11] %s', async (_name, steps, expected) => {
  const { run } = await play(steps, { asks: false });
  expect(await run.ended).toMatchObject(expected);
});
