// `tailrace replay --as-agent` under the real runner: it is started, answered, interrupted and stopped as the agent itself would be.

import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AgentStreamEvent, type Answer, agents, type RequestEvent } from '@tailrace/core';
import { type Run, type RunOptions, startRun } from '@tailrace/runner';
import { describe, expect, onTestFinished, test } from 'vitest';
import { call, fixtures, start } from './command.ts';
import { until } from './serve/served.ts';

const recordings = fileURLToPath(new URL('../../../fixtures/demo', import.meta.url));
const bin = fileURLToPath(new URL('../dist/tailrace.js', import.meta.url));
const [claude] = agents.filter(({ name }) => name === 'claude');

const INFRA = 'Clean the build folder and build again';
const DOCS = 'Rewrite the install guide';
const SHOP = 'Fix the flaky checkout test';

/** Everything at once, but in its order. */
const FAST = '0';
/** As it happened: whoever does something in the middle of it has time enough. */
const SLOW = '1';

interface Played {
  readonly run: Run;
  readonly events: readonly AgentStreamEvent[];
  readonly project: string;
  /** The first thing that it asks. */
  asked(): Promise<RequestEvent>;
  /** What it has said. */
  text(): string;
}

async function play(prompt: string, speed: string, options: Partial<RunOptions> = {}): Promise<Played> {
  if (!claude) throw new Error('there is no such agent');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-replay-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const project = join(folder, 'project');
  mkdirSync(project);
  const program = join(folder, 'claude');
  const words = [process.execPath, bin, 'replay', '--as-agent', recordings, '--speed', speed, '--'];
  writeFileSync(program, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  chmodSync(program, 0o700);
  const events: AgentStreamEvent[] = [];
  const run = await startRun({
    agent: claude,
    program,
    prompt,
    cwd: project,
    env: { PATH: process.env['PATH'], HOME: folder },
    asks: true,
    waits: { quiet: 50 },
    onEvents: (more) => void events.push(...more),
    ...options,
  });
  onTestFinished(async () => void (await run.kill()));
  return {
    run,
    events,
    project,
    asked: () => until(() => run.requests[0]),
    text: () => events.flatMap((event) => (event.type === 'text-delta' ? [event.delta] : [])).join(''),
  };
}

const kinds = (events: readonly AgentStreamEvent[], type: AgentStreamEvent['type']): number =>
  events.filter((event) => event.type === type).length;

describe('a permission', () => {
  test.each<[string, Answer, string, string]>([
    ['allowed', { decision: 'allow' }, 'Done: the folder was removed and built again.', 'success'],
    ['denied', { decision: 'deny', reason: 'Not today' }, 'I left the build folder as it is', 'denied'],
  ])('that is %s makes it go on in that way', async (_name, answer, text, outcome) => {
    const played = await play(INFRA, FAST);
    const request = await played.asked();
    expect(request).toMatchObject({ type: 'permission-request', input: { command: 'rm -rf build/ && npm run build' } });
    expect(played.run.state).toBe('waiting');
    played.run.answer(request.requestId, answer);
    expect(await played.run.ended).toMatchObject({ end: 'exit', success: true, exitCode: 0, stderr: '' });
    expect(played.text()).toContain(text);
    const { toolCallId } = request as RequestEvent & { type: 'permission-request' };
    expect(played.events).toContainEqual(expect.objectContaining({ type: 'tool-call-end', toolCallId, outcome }));
    // Nothing went wrong by the way.
    expect(kinds(played.events, 'error')).toBe(0);
  });
});

test('a question goes on by its answer', async () => {
  const played = await play(DOCS, FAST);
  const request = await played.asked();
  expect(request).toMatchObject({
    type: 'question-request',
    questions: [{ options: [{ label: 'npm' }, { label: 'Container' }] }],
  });
  const { questions } = request as RequestEvent & { type: 'question-request' };
  const [{ question } = { question: '' }] = questions ?? [];
  played.run.answer(request.requestId, { decision: 'answer', content: { [question]: 'Container' } });
  expect(await played.run.ended).toMatchObject({ success: true });
  expect(played.text()).toContain('In a container first, then.');
});

test('a session with a sub-agent has its exact figures, and its files are in the folder of the run', async () => {
  const { run, events, project } = await play(SHOP, FAST);
  const result = await run.ended;
  expect(result).toMatchObject({ success: true, cost: { currency: 'USD' } });
  // The agent's own total in the recording.
  expect(result.cost?.amount).toBeCloseTo(0.205738, 6);
  expect(kinds(events, 'task-start')).toBe(1);
  expect(events).toContainEqual(expect.objectContaining({ type: 'session-update', cwd: project }));
  const changed = events.filter((event) => event.type === 'file-change');
  expect(changed.length).toBeGreaterThan(0);
});

test('two plays of one recording are two sessions, and share no id of a message or a call', async () => {
  const plays = [await play(SHOP, FAST), await play(SHOP, FAST)];
  const [first, second] = await Promise.all(plays.map(({ run }) => run.ended));
  expect(first?.sessionId).toMatch(/^[0-9a-f-]{36}$/);
  expect(second?.sessionId).not.toBe(first?.sessionId);
  const idsOf = ({ events }: Played): string[] =>
    events.flatMap((event) => [
      ...('messageId' in event && event.messageId !== undefined ? [event.messageId] : []),
      ...('toolCallId' in event && event.toolCallId !== undefined ? [event.toolCallId] : []),
    ]);
  const [one, two] = plays.map(idsOf);
  expect(one?.length).toBeGreaterThan(50);
  expect(two?.filter((id) => one?.includes(id))).toEqual([]);
});

test('a prompt that nobody recorded plays the first recording, and is told as it was said', async () => {
  const played = await play('Paint it blue', FAST);
  expect(await played.run.ended).toMatchObject({ success: true });
  expect(played.text()).toContain('The checkout test is stable now.');
  expect(played.events.filter(({ type, subagentId }) => type === 'user-message' && !subagentId)).toMatchObject([
    { content: [{ type: 'text', text: 'Paint it blue' }] },
  ]);
});

test('one that failed fails', async () => {
  const { run, events } = await play('Write the weekly report', FAST);
  expect(await run.ended).toMatchObject({ end: 'exit', success: false, outcome: 'error', exitCode: 1 });
  expect(kinds(events, 'retry-start')).toBeGreaterThan(2);
});

describe('in the middle', () => {
  test('it is interrupted, and takes the next prompt', async () => {
    const played = await play(SHOP, SLOW, { conversation: true });
    await until(() => played.text() !== '');
    await played.run.interrupt();
    await until(() => kinds(played.events, 'turn-end') === 1);
    expect(played.events.find(({ type }) => type === 'turn-end')).toMatchObject({ outcome: 'cancelled' });
    expect(played.run.state).toBe('idle');
    played.run.send('Write the weekly report');
    await until(() => kinds(played.events, 'turn-start') === 2);
    await played.run.stop();
  });

  test('it is interrupted while it asks: the request is taken back', async () => {
    const played = await play(INFRA, FAST);
    await played.asked();
    await played.run.interrupt();
    expect(await played.run.ended).toMatchObject({ end: 'exit', outcome: 'cancelled' });
    expect(played.events).toContainEqual(
      expect.objectContaining({ type: 'permission-resolve', decision: 'cancelled' }),
    );
  });

  test('it is stopped, and ends by itself', async () => {
    const played = await play(SHOP, SLOW);
    await until(() => played.text() !== '');
    expect(await played.run.stop()).toMatchObject({ end: 'stopped', aborted: true, exitCode: 1 });
  });

  test('TERM ends it', async () => {
    const child = start(['replay', '--as-agent', recordings]);
    const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
    child.stdin?.write(claude?.input?.prompt(SHOP, 'one') ?? '');
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe('SIGTERM');
  });
});

describe('the end of what is said', () => {
  const prompt = (text: string): Buffer => Buffer.from(claude?.input?.prompt(text, 'one') ?? '');
  const act = (input: readonly Buffer[], ...words: string[]) =>
    call(['replay', '--as-agent', recordings, '--speed', '0', ...words], { input });

  test('lets it play to its end', async () => {
    const { code, stdout, stderr } = await act([prompt(SHOP)]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('"subtype":"success"');
  });

  test('is a no to whatever is asked', async () => {
    const { code, stdout } = await act([prompt(INFRA)], '--', '--permission-prompt-tool=stdio');
    expect(code).toBe(0);
    expect(stdout).toContain('can_use_tool');
    expect(stdout).toContain('I left the build folder as it is');
  });

  test('before anything was said ends it', async () => {
    const ended = await act([], '--', '--input-format', 'stream-json');
    expect(ended).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  });
});

test.each([
  { words: [], input: '' },
  { words: ['--', '-p', 'Hello', '--output-format', 'stream-json'], input: '' },
  { words: ['--', '-p'], input: 'Hello\n' },
])('whoever does not talk to it in lines of JSON is told so: $words', async ({ words, input }) => {
  const outcome = await call(['replay', '--as-agent', recordings, ...words], { input: [Buffer.from(input)] });
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  expect(outcome.stderr).toMatch(/^tailrace: it was told nothing: .*--input-format stream-json.*\n$/);
});

test('turns follow each other when a capture has more than one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-turns-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const ending of ['.ndjson', '.stdin.ndjson'])
    copyFileSync(`${fixtures}stdin-multiturn${ending}`, join(folder, `turns${ending}`));
  const input = ['Read a.txt', 'Now backwards', 'More'].map((text) =>
    Buffer.from(claude?.input?.prompt(text, 'one') ?? ''),
  );
  const { code, stdout } = await call(['replay', '--as-agent', folder, '--speed', '0'], { input });
  expect(code).toBe(0);
  expect(stdout.match(/"type":"result"/g)).toHaveLength(3);
  expect(stdout).toContain('what was recorded ends here');
});

test.each<[string[], number, RegExp]>([
  [['--as-agent', '/nowhere'], 1, /there is no file \/nowhere/],
  [['--as-agent', fileURLToPath(new URL('.', import.meta.url))], 2, /there is no recording in/],
  [['--as-agent', recordings, '--speed', 'fast'], 2, /--speed takes a number/],
])('replay %j is a mistake', async (words, code, message) => {
  const outcome = await call(['replay', ...words]);
  expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringMatching(message)]);
});
