// What reaches the agent at its start, byte for byte, and what never does.

import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agents } from '@tailrace/core';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { counts } from '../../../proof/counts.ts';
import { type RunOptions, startRun } from '../src/index.ts';
import { claude, play, program, type Step, temporaryFolder } from './fake.ts';

const SHORT: readonly Step[] = [['init'], ['prompt'], ['result'], ['until-stdin-ends'], ['exit', 0]];

/** Anything a person might paste: quotes, shells, flags, other scripts, control characters, line ends. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '$(touch x)',
    '`id`',
    '"; rm -rf ~ #',
    "'",
    '--settings={}',
    '-p',
    '%PATH%',
    '^&|<>',
    '*',
    '\\',
    '\r\n',
    '🙈',
    'a\u2028b',
  ),
);
/** What may be a value: see values.ts for what is refused. */
const anyValue = anyText.filter(
  (text) => text !== '' && !text.startsWith('-') && !text.includes('\0') && !/\p{Surrogate}/u.test(text),
);

test('[T-12] random strings as every parameter arrive byte-equal, in arguments and on stdin', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        prompt: anyText,
        model: anyValue,
        resume: anyValue,
        permissionMode: anyValue,
        sessionId: anyValue,
        allow: fc.array(anyValue, { maxLength: 3 }),
        deny: fc.array(anyValue, { maxLength: 3 }),
        mcpConfig: fc.array(anyValue, { maxLength: 2 }),
        addDirs: fc.array(anyValue, { maxLength: 2 }),
      }),
      async (options) => {
        const { run, told, stdin } = await play(SHORT, { ...options, asks: false });
        await run.ended;
        const { argv } = told();
        const valuesOf = (flag: string) =>
          argv.flatMap((arg) => (arg.startsWith(`--${flag}=`) ? arg.slice(flag.length + 3) : []));
        expect(valuesOf('model')).toEqual([options.model]);
        expect(valuesOf('resume')).toEqual([options.resume]);
        expect(valuesOf('permission-mode')).toEqual([options.permissionMode]);
        expect(valuesOf('session-id')).toEqual([options.sessionId]);
        expect(valuesOf('allowedTools')).toEqual(options.allow);
        expect(valuesOf('disallowedTools')).toEqual(options.deny);
        expect(valuesOf('mcp-config')).toEqual(options.mcpConfig);
        expect(valuesOf('add-dir')).toEqual(options.addDirs);
        expect(JSON.parse(stdin().toString('utf8')).message.content).toBe(options.prompt);
        // Nothing else came along.
        const flags = argv.filter(
          (arg) =>
            !/^--(model|resume|permission-mode|session-id|allowedTools|disallowedTools|mcp-config|add-dir)=/s.test(arg),
        );
        expect(flags).toEqual([
          '--print',
          '--input-format=stream-json',
          '--output-format=stream-json',
          '--verbose',
          '--replay-user-messages',
          '--include-partial-messages',
        ]);
      },
    ),
    { numRuns: counts.startStrings },
  );
});

test('[T-13] a prompt that looks like a flag arrives as the prompt and as nothing else', async () => {
  const prompt = '--settings={"hooks":{}} --dangerously-skip-permissions';
  const { run, told, stdin } = await play(SHORT, { prompt, asks: false });
  await run.ended;
  expect(told().argv.join(' ')).not.toContain('dangerously');
  expect(JSON.parse(stdin().toString()).message.content).toBe(prompt);
});

test.each<[string, Partial<RunOptions>]>([
  ['a model', { model: '--dangerously-skip-permissions' }],
  ['a session', { resume: '-p' }],
  ['an id', { sessionId: '--x' }],
  ['a folder', { addDirs: ['fine', '-x'] }],
  ['a tool', { allow: ['--x'] }],
  ['a NUL', { model: 'a\0b' }],
  ['half a character', { model: 'a\ud800' }],
])(
  '[T-13] %s that could become a flag, or would not arrive, is refused before anything starts',
  async (_what, options) => {
    const told = join(temporaryFolder(), 'told');
    await expect(
      startRun({ agent: claude, prompt: 'x', program, env: { ...process.env, FAKE_TOLD: told }, ...options }),
    ).rejects.toMatchObject({ code: 'value-refused' });
    expect(existsSync(told)).toBe(false);
  },
);

test('[T-15] a folder that brings a hook: nothing runs before the yes', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.claude'));
  const settings = { hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'touch ran' }] }] } };
  writeFileSync(join(folder, '.claude/settings.json'), JSON.stringify(settings));
  writeFileSync(
    join(folder, '.mcp.json'),
    JSON.stringify({ mcpServers: { evil: { command: 'sh', args: ['-c', 'touch ran'] } } }),
  );
  const options = { cwd: folder, asks: false };
  await expect(play(SHORT, options)).rejects.toMatchObject({ code: 'not-trusted' });
  await expect(play(SHORT, { ...options, trust: () => false })).rejects.toThrow(
    /hook SessionStart .*settings\.json.*mcp-server evil/s,
  );
  const seen: string[] = [];
  const { run } = await play(SHORT, {
    ...options,
    trust: async ({ brought }) => {
      seen.push(...brought.map(({ kind, detail }) => `${kind}: ${detail}`));
      return true;
    },
  });
  expect((await run.ended).success).toBe(true);
  expect(seen).toEqual(['hook: touch ran', 'mcp-server: sh -c touch ran']);
});

test('[T-15] what changes while it is asked about is asked about again', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.claude'));
  const bring = (command: string): void => {
    const hooks = { SessionStart: [{ hooks: [{ type: 'command', command }] }] };
    writeFileSync(join(folder, '.claude/settings.json'), JSON.stringify({ hooks }));
  };
  bring('echo harmless');
  const seen: string[] = [];
  const trust: RunOptions['trust'] = ({ brought }) => {
    seen.push(...brought.map(({ detail }) => detail));
    if (seen.length === 1) bring('echo evil');
    return true;
  };
  const { run } = await play(SHORT, { cwd: folder, asks: false, trust });
  await run.ended;
  expect(seen).toEqual(['echo harmless', 'echo evil']);
});

test.each<[string, RunOptions['trust']]>([
  ['a word', (() => 'no') as unknown as RunOptions['trust']],
  ['a failure', () => Promise.reject(new Error('no idea'))],
])('[T-15] %s is no yes', async (_name, trust) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { a: { command: 'x' } } }));
  await expect(play(SHORT, { cwd: folder, asks: false, trust })).rejects.toMatchObject({ code: 'not-trusted' });
});

test.each<[string, Partial<RunOptions>]>([
  ['maxLineBytes', { maxLineBytes: 0 }],
  ['waits.stall', { waits: { stall: Number.NaN } }],
  ['id', { id: 'a:b' }],
  ['cwd', { cwd: 'a\0b' }],
  ['model', { model: ['--x'] as unknown as string }],
])('a %s that cannot be is refused before anything starts', async (name, options) => {
  const refused = startRun({ agent: claude, prompt: 'x', program, ...options });
  await expect(refused).rejects.toMatchObject({ code: 'value-refused', message: expect.stringContaining(name) });
});

test('an id that is in use is refused: two runs of one id would end each other', async () => {
  const { run } = await play([['init'], ['prompt'], ['hang']], { asks: true });
  await expect(startRun({ agent: claude, prompt: 'x', program, id: run.id })).rejects.toThrow(/goes on/);
});

test("[T-16] the agent gets the environment without what is ours or an outer session's, and with what signs the person in", async () => {
  const { run, told } = await play(SHORT, {
    asks: false,
    env: {
      TAILRACE_HOME: '/secret',
      TAILRACE_CLAUDE: '/x',
      TAILRACE_TOKEN: 'secret',
      CLAUDECODE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CLAUDE_CODE_SSE_PORT: '1234',
      NODE_CHANNEL_FD: '3',
      ANTHROPIC_API_KEY: 'kept',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
      AWS_PROFILE: 'kept',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      LANG: 'C.UTF-8',
    },
  });
  await run.ended;
  const { env } = told();
  const ours = Object.entries(env).filter(([name]) => !name.startsWith('FAKE_'));
  expect(Object.fromEntries(ours)).toEqual({
    PATH: process.env['PATH'],
    HOME: env['HOME'],
    ANTHROPIC_API_KEY: 'kept',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
    AWS_PROFILE: 'kept',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    LANG: 'C.UTF-8',
    CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: '1',
    TAILRACE_RUN_ID: run.id,
    // Node adds nothing else.
    ...(env['LC_CTYPE'] !== undefined && { LC_CTYPE: env['LC_CTYPE'] }),
  });
});

test("[M-01] the program is found in the login shell's PATH, and started to print what is read", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/claude'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(join(folder, 'bin/claude'), 0o755);
  const shell = join(folder, 'shell');
  writeFileSync(
    shell,
    `#!/bin/sh\nPATH="${folder}/bin:$PATH"; export PATH\nwhile [ "$1" != "-c" ]; do shift; done\neval "$2"\n`,
  );
  chmodSync(shell, 0o755);
  const { run, told } = await play(SHORT, {
    program: undefined,
    asks: false,
    resume: 'abc',
    model: 'opus',
    allow: ['Read'],
    env: { PATH: '/usr/bin:/bin', SHELL: shell },
  });
  await run.ended;
  const { argv } = told();
  for (const word of [
    '--print',
    '--output-format=stream-json',
    '--verbose',
    '--resume=abc',
    '--model=opus',
    '--allowedTools=Read',
  ])
    expect(argv).toContain(word);
});

test('what an agent does not understand is refused, by name', async () => {
  const codex = agents.find(({ name }) => name === 'codex');
  if (!codex) throw new Error('there is no codex');
  await expect(startRun({ agent: codex, prompt: 'x', program, maxTurns: 3 })).rejects.toThrow(/Codex.*maxTurns/);
});

test('another agent, which nobody can talk to, gets its prompt and is read as itself', async () => {
  const folder = temporaryFolder();
  const capture = readFileSync(new URL('../../../fixtures/codex/0.166.0/text.ndjson', import.meta.url), 'utf8');
  const script = join(folder, 'codex');
  writeFileSync(join(folder, 'out'), capture);
  writeFileSync(script, `#!/bin/sh\ncat '${folder}/out'\ncat > '${folder}/stdin'\n`);
  chmodSync(script, 0o755);
  const codex = agents.find(({ name }) => name === 'codex');
  if (!codex) throw new Error('there is no codex');
  const types: string[] = [];
  const run = await startRun({
    agent: codex,
    prompt: 'Say hello\nin two lines',
    program: script,
    cwd: folder,
    watchFiles: false,
    onEvents: (events) => types.push(...events.map(({ type }) => type)),
  });
  const result = await run.ended;
  expect(result.success).toBe(true);
  expect(types).toContain('text-end');
  expect(types).not.toContain('raw');
});

/** The processes that bear the mark of a run; where the system tells none, nothing is looked at. */
function processesOf(id: string): readonly string[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(id);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}

test('one that gives up in the middle of starting has handed over no prompt, and leaves no process', async () => {
  const steps: readonly Step[] = [['init'], ['prompt'], ['write', 'effect.txt', 'x'], ['hang']];
  for (let looks = 0; ; looks++) {
    let looked = 0;
    const signal = {
      get aborted() {
        return ++looked > looks;
      },
      reason: undefined,
    };
    const cwd = temporaryFolder();
    const id = randomUUID();
    const heard: string[] = [];
    const onEvents = (events: readonly { readonly type: string }[]) =>
      void heard.push(...events.map(({ type }) => type));
    const started = await play(steps, { signal, cwd, id, onEvents }).catch((error: Error) => error);
    if (!(started instanceof Error)) {
      // It has looked as often as that, and at each of them it would have given up.
      expect(looks).toBeGreaterThan(1);
      started.run.kill();
      await started.run.ended;
      return;
    }
    expect(started).toMatchObject({ code: 'stopped', message: 'the run was stopped before it had begun' });
    expect(heard).toEqual([]);
    expect(existsSync(join(cwd, 'effect.txt'))).toBe(false);
    await vi.waitFor(() => expect(processesOf(id)).toEqual([]), { timeout: 60_000 });
  }
});
