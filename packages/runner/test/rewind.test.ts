// Going back to a prompt, with an agent that plays its part; conformance/src/runs/rewind.mjs does the same with the real one.

import { existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AgentStreamEvent, agents } from '@tailrace/core';
import { expect, test } from 'vitest';
import { startRun } from '../src/index.ts';
import { changesSince } from '../src/rewind/changes.ts';
import { previewRewind, type RewindOptions, rewindSession } from '../src/rewind/rewind.ts';
import { claude, FakeClock, isAlive, program, type Step, temporaryFolder, until } from './fake.ts';

const SESSION = '11111111-2222-4333-8444-555555555555';
const FIRST = '11111111-2222-4333-8444-000000000001';
const SECOND = '11111111-2222-4333-8444-000000000002';
const ANSWER = '11111111-2222-4333-8444-000000000003';

const TRANSCRIPT = [
  { type: 'user', uuid: FIRST, parentUuid: null, message: { role: 'user', content: 'First' } },
  { type: 'assistant', uuid: ANSWER, parentUuid: FIRST, message: { role: 'assistant', content: [] } },
  { type: 'file-history-snapshot', messageId: SECOND },
  { type: 'user', uuid: SECOND, parentUuid: ANSWER, message: { role: 'user', content: 'Second' } },
];

interface Scene {
  readonly folder: string;
  readonly options: RewindOptions;
  read(name: string): string | undefined;
  /** What the agent was started with; nothing when it was not. */
  told(): { readonly argv: string[]; readonly env: Record<string, string>; readonly pid: number } | undefined;
}

/** A session of two prompts that is over, in a folder with a.txt and new.txt. */
function scene(
  steps: readonly Step[],
  more: Partial<RewindOptions> = {},
  events: readonly AgentStreamEvent[] = [],
): Scene {
  const folder = temporaryFolder();
  const cwd = join(folder, 'project');
  mkdirSync(cwd);
  for (const name of ['a.txt', 'new.txt']) writeFileSync(join(cwd, name), `${name} now\n`);
  writeFileSync(join(folder, 'script.json'), JSON.stringify(steps));
  const file = join(folder, '.claude', claude.transcripts?.fileOf(SESSION, cwd) ?? '');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `half a line\n${TRANSCRIPT.map((line) => JSON.stringify(line)).join('\n')}\n`);
  const told = join(folder, 'told.json');
  const env = { PATH: process.env['PATH'], HOME: folder, FAKE_AGENT: join(folder, 'script.json'), FAKE_TOLD: told };
  const checkpoint = more.checkpoint ?? SECOND;
  const changes = changesSince(events, checkpoint);
  return {
    folder,
    options: { agent: claude, program, sessionId: SESSION, cwd, env, checkpoint, changes, ...more },
    read: (name) => (existsSync(join(cwd, name)) ? readFileSync(join(cwd, name), 'utf8') : undefined),
    told: () => (existsSync(told) ? JSON.parse(readFileSync(told, 'utf8')) : undefined),
  };
}

const GOES: readonly Step[] = [['rewinds', { [SECOND]: { 'a.txt': 'a.txt then\n', 'new.txt': null }, [FIRST]: {} }]];

test('[G-15] a look ahead tells what would be set back and touches nothing', async () => {
  const { options, read, told } = scene(GOES);
  const preview = await previewRewind(options);
  expect(preview).toMatchObject({ sessionId: SESSION, checkpoint: SECOND, linesAdded: 1, linesRemoved: 2 });
  expect(preview.files.map(({ path }) => path)).toEqual([join(options.cwd, 'a.txt'), join(options.cwd, 'new.txt')]);
  expect(read('a.txt')).toBe('a.txt now\n');
  expect(isAlive(told()?.pid ?? 0)).toBe(false);
});

test('[G-15] going back sets the files back; the conversation is cut before the prompt, in a session of its own', async () => {
  const { options, read, told } = scene(GOES);
  const rewound = await rewindSession(options, await previewRewind(options));
  expect(read('a.txt')).toBe('a.txt then\n');
  expect(read('new.txt')).toBeUndefined();
  expect(rewound.failed).toEqual([]);
  expect(rewound.next).toEqual({ resume: SESSION, resumeAt: ANSWER, fork: true });
  const { argv = [], env = {} } = told() ?? {};
  // Cut already here: if that cannot be done, the files stay as they are.
  expect(argv).toEqual(expect.arrayContaining([`--resume=${SESSION}`, `--resume-session-at=${ANSWER}`]));
  expect(argv).toContain('--no-session-persistence');
  expect(argv).not.toContain('--fork-session');
  expect(env['CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING']).toBe('1');
});

test('[G-15] before the first prompt there is nothing to go on with: a new session begins', async () => {
  const { options, told } = scene(GOES, { checkpoint: FIRST });
  const preview = await previewRewind(options);
  expect(preview.next).toEqual({});
  expect(preview.files).toEqual([]);
  expect(told()?.argv.some((word) => word.startsWith('--resume-session-at'))).toBe(false);
});

test('[G-15] a file that the agent passed over is told', async () => {
  const { options, read } = scene([['rewinds', { [SECOND]: { 'a.txt': 'then\n', 'new.txt': null } }, 'new.txt']]);
  const { failed } = await rewindSession(options);
  expect(failed).toEqual([join(options.cwd, 'new.txt')]);
  expect(read('a.txt')).toBe('then\n');
});

test('[G-15] what nobody has agreed to is not done: another file, or one that somebody has changed meanwhile', async () => {
  const { options, read } = scene(GOES, {}, [
    { type: 'session-end', seq: 0, outcome: 'success', at: Date.now() + 1000 },
  ]);
  const preview = await previewRewind(options);
  expect(preview.files.some(({ isOverwritten }) => isOverwritten)).toBe(false);
  const [first] = preview.files;
  if (!first) throw new Error('there is a file');
  await expect(rewindSession(options, { ...preview, files: [first] })).rejects.toMatchObject({
    code: 'changed',
    message: expect.stringContaining('new.txt'),
  });
  const later = Date.now() / 1000 + 60;
  utimesSync(join(options.cwd, 'a.txt'), later, later);
  await expect(rewindSession(options, preview)).rejects.toMatchObject({ code: 'changed' });
  expect([read('a.txt'), read('new.txt')]).toEqual(['a.txt now\n', 'new.txt now\n']);
});

test.each<[string, string, Partial<RewindOptions>]>([
  ['a prompt that the session does not have', 'no-such-checkpoint', { checkpoint: ANSWER }],
  ['a prompt that could be taken for a flag', 'value-refused', { checkpoint: '--version' }],
  ['a session that the agent does not keep', 'no-session', { sessionId: FIRST }],
  ['an id that is a path', 'no-session', { sessionId: `../project/${SESSION}` }],
  // From there the real agent would find the session and set the files back in the wrong place.
  ['another folder than the session was begun in', 'no-session', { cwd: temporaryParent() }],
  ['a folder that is gone', 'no-folder', { cwd: join(program, 'gone') }],
  ['an agent that cannot go back', 'not-understood', { agent: { ...claude, rewind: undefined } }],
])('[G-15] %s is refused before anything is started', async (_name, code, more) => {
  const { options, told } = scene(GOES, more);
  for (const act of [previewRewind, rewindSession]) await expect(act(options)).rejects.toMatchObject({ code });
  expect(told()).toBeUndefined();
});

test('[G-15] a prompt that was taken up in the middle of a turn is refused, and that is said', async () => {
  const said = { type: 'user-message', seq: 0, messageId: ANSWER, origin: 'replay', content: [] } as const;
  const { options } = scene(GOES, { checkpoint: ANSWER }, [said]);
  await expect(previewRewind(options)).rejects.toMatchObject({ message: expect.stringContaining('middle of a turn') });
});

test('[G-15] a session without checkpoints is refused in the words of the agent', async () => {
  const { options, read } = scene([['rewinds', {}]]);
  for (const act of [previewRewind, rewindSession])
    await expect(act(options)).rejects.toMatchObject({
      code: 'no-checkpoint',
      message: expect.stringContaining('No file checkpoint found'),
    });
  expect(read('a.txt')).toBe('a.txt now\n');
});

test('[G-15] an agent that cannot cut the conversation ends, and no file is touched', async () => {
  const { options, read } = scene([
    ['stderr', 'No message found with message.uuid of: x'],
    ['exit', 1],
  ]);
  await expect(rewindSession(options)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('No message found'),
  });
  expect(read('a.txt')).toBe('a.txt now\n');
});

test('[G-15] an agent that never replies is not waited for', async () => {
  const clock = new FakeClock();
  const { options, told } = scene([['hang']], { clock });
  let failure: unknown;
  previewRewind(options).catch((error: unknown) => {
    failure = error;
  });
  await until(() => told() !== undefined);
  await until(() => {
    clock.pass(1_000);
    return failure !== undefined;
  });
  expect(failure).toMatchObject({ code: 'refused' });
  expect(isAlive(told()?.pid ?? 0)).toBe(false);
});

test('[G-15] a folder that brings code is asked about before the agent is started in it', async () => {
  const { options, told } = scene(GOES);
  mkdirSync(join(options.cwd, '.claude'));
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: 'touch here' }] }] };
  writeFileSync(join(options.cwd, '.claude', 'settings.json'), JSON.stringify({ hooks }));
  await expect(previewRewind(options)).rejects.toMatchObject({ code: 'not-trusted' });
  expect(told()).toBeUndefined();
  await previewRewind({ ...options, trust: () => true });
});

test('[G-15] a folder that is reached by a link is the same folder', async () => {
  const { options, folder, read } = scene(GOES);
  const link = join(folder, 'link');
  symlinkSync(options.cwd, link);
  await rewindSession({ ...options, cwd: link });
  expect(read('a.txt')).toBe('a.txt then\n');
});

test('[T-13] where a conversation is cut cannot become a flag, and is not passed to an agent that does not know it', async () => {
  const { options } = scene([['init'], ['prompt'], ['result'], ['exit', 0]]);
  const start = { agent: claude, program, cwd: options.cwd, env: options.env, prompt: 'Go', resume: SESSION };
  await expect(startRun({ ...start, resumeAt: '--version' })).rejects.toMatchObject({ code: 'value-refused' });
  const agent = { ...claude, takes: [] };
  await expect(startRun({ ...start, agent, resumeAt: ANSWER })).rejects.toMatchObject({ code: 'not-understood' });
});

test('the agents that cannot go back say so', async () => {
  for (const agent of agents.filter(({ rewind }) => rewind === undefined)) {
    const { options } = scene(GOES, { agent });
    await expect(previewRewind(options)).rejects.toMatchObject({ code: 'not-understood' });
  }
});

function temporaryParent(): string {
  return join(program, '..');
}
