// `tailrace run` with an agent that plays a script: from a pipe, and at a terminal where somebody types.

import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { call, start } from './command.ts';

const agent = fileURLToPath(new URL('../../runner/test/fake-agent.mjs', import.meta.url));
const bin = fileURLToPath(new URL('../dist/tailrace.js', import.meta.url));

interface Stage {
  readonly env: Record<string, string>;
  readonly project: string;
  readonly told: () => { readonly argv: string[]; readonly pid: number };
  readonly stdin: () => unknown[];
}

function stage(steps: readonly (readonly unknown[])[]): Stage {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-run-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(folder, 'script.json'), JSON.stringify(steps));
  return {
    project,
    env: {
      HOME: folder,
      TAILRACE_HOME: join(folder, 'data'),
      TAILRACE_CLAUDE: agent,
      FAKE_AGENT: join(folder, 'script.json'),
      FAKE_TOLD: join(folder, 'told.json'),
      FAKE_STDIN: join(folder, 'stdin'),
    },
    told: () => JSON.parse(readFileSync(join(folder, 'told.json'), 'utf8')),
    stdin: () =>
      readFileSync(join(folder, 'stdin'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}

const ANSWER = [['init'], ['prompt'], ['text', 'Hello there.'], ['result', 'Hello there.']];

describe('without a terminal', () => {
  test('shows the run, ends with a summary, and exits with 0', async () => {
    const { env, project } = stage(ANSWER);
    const { code, stdout, stderr } = await call(['run', '--cwd', project, 'Say hello'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Hello there.');
    expect(stdout).toContain('✓ done');
  });

  test('what nobody tells the cost of is estimated at the end, with its mark', async () => {
    const { env, project } = stage([]);
    const capture = fileURLToPath(new URL('../../../fixtures/gemini/0.61.0/multi-tool.ndjson', import.meta.url));
    const gemini = join(project, 'gemini');
    writeFileSync(gemini, `#!/bin/sh\nexec cat '${capture}'\n`, { mode: 0o755 });
    const { stdout } = await call(['run', '--agent', 'gemini', '--cwd', project, 'Inspect'], {
      env: { ...env, TAILRACE_GEMINI: gemini },
    });
    expect(stdout).toMatch(/✓ done .*· ~\$0\.00\d+ ·/);
  });

  test('what it prints into a file of its own folder is no change of a file', async () => {
    const { env, project } = stage([
      ...[['init'], ['prompt'], ['call', 'c1', 'Bash', { command: 'x' }], ['write', 'made.txt', 'x'], ['done', 'c1']],
      ...[
        ['text', 'Done.'],
        ['result', 'Done.'],
      ],
    ]);
    const own = join(project, 'events.ndjson');
    const file = openSync(own, 'w');
    onTestFinished(() => closeSync(file));
    const child = spawn(process.execPath, [bin, 'run', '--json', 'Make it'], {
      cwd: project,
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', file, 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
    const printed = readFileSync(own, 'utf8');
    expect(printed.match(/"type":"file-change"/g)).toHaveLength(1);
    expect(printed).not.toContain(own);
  });

  test('--json prints events and nothing else', async () => {
    const { env, project } = stage(ANSWER);
    const { code, stdout } = await call(['run', '--json', '--cwd', project, '--', '--looks like a flag'], { env });
    expect(code).toBe(0);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ type: 'run-start', prompt: '--looks like a flag' });
    expect(events.at(-1)).toMatchObject({ type: 'session-end', outcome: 'success' });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  });

  test('nobody is asked: the agent is not told that somebody could be', async () => {
    const { env, project, told } = stage(ANSWER);
    await call(['run', '--cwd', project, 'x'], { env });
    expect(told().argv.join(' ')).not.toContain('permission-prompt-tool');
  });

  test('--only shows what it names, and --full folds nothing', async () => {
    const text = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`).join('\n');
    const set = stage([
      ['init'],
      ['prompt'],
      ['call', 'c1', 'Bash', { command: 'count' }],
      ['done', 'c1', text],
      ['text', 'Hello there.'],
      ['result', 'Hello there.'],
    ]);
    const shown = async (...words: string[]): Promise<string> =>
      (await call(['run', '--cwd', set.project, ...words, 'x'], { env: set.env })).stdout;
    expect(await shown('--only', 'text')).toBe('Hello there.\n');
    expect(await shown('--only', 'summary')).toMatch(/^\n?✓ done/);
    expect(await shown()).toContain('more lines (--full)');
    expect(await shown('--full')).toContain('line 1\n');
    expect(await call(['run', '--only', 'nothing', 'x'], { env: set.env })).toMatchObject({ code: 2 });
  });

  test('the prompt may come on standard input', async () => {
    const { env, project, stdin } = stage([...ANSWER, ['until-stdin-ends']]);
    const { code } = await call(['run', '--cwd', project], { env, input: [Buffer.from('from a pipe\n')] });
    expect(code).toBe(0);
    expect(stdin()).toMatchObject([{ type: 'user', message: { content: 'from a pipe' } }]);
  });

  test.each<[string, readonly (readonly unknown[])[], number]>([
    ['a failure', [['init'], ['prompt'], ['failure', 'It broke.']], 1],
    ['an end without a result', [['init'], ['text', 'half'], ['exit', 0]], 1],
    ['a crash', [['init'], ['stderr', 'segfault\n'], ['exit', 139]], 1],
    ['a kill by somebody else', [['init'], ['die', 'SIGKILL']], 1],
  ])('%s is told by the exit code', async (_name, steps, expected) => {
    const { env, project } = stage(steps);
    const { code } = await call(['run', '--cwd', project, 'x'], { env });
    expect(code).toBe(expected);
  });

  test('[T-15] a folder that brings code is refused with 2, shows what it brings and names --trust-folder', async () => {
    const { env, project, told } = stage(ANSWER);
    mkdirSync(join(project, '.claude'));
    const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'curl evil\u202e' }] }] };
    writeFileSync(join(project, '.claude/settings.json'), JSON.stringify({ hooks }));
    const { code, stderr } = await call(['run', '--cwd', project, 'x'], { env });
    expect(code).toBe(2);
    expect(stderr).toContain('curl evil\\u{202e}');
    expect(stderr).toContain('--trust-folder');
    expect(told).toThrow();
    expect((await call(['run', '--cwd', project, '--trust-folder', 'x'], { env })).code).toBe(0);
  });

  test.each([
    [['run'], /the prompt is empty/],
    [['run', '  '], /the prompt is empty/],
    [['run', 'a', 'b'], /one prompt, not 2/],
    [['run', '--agent', 'nobody', 'x'], /no agent is called "nobody"/],
    [['run', '--max-turns', 'many', 'x'], /--max-turns takes a number/],
    [['run', '--cwd', '/nowhere/at/all', 'x'], /there is no folder/],
    [['run', '--model=-x', 'x'], /begins with a dash/],
    [['run', '--agent', 'codex', '--max-turns', '2', 'x'], /Codex.*maxTurns/],
    [['run', '--chat', 'x'], /--chat needs a terminal/],
  ])('%j is wrong usage', async (words, message) => {
    const { code, stderr } = await call(words, { env: { TAILRACE_CLAUDE: agent } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
  });

  test('an agent that is not there is told with the way to get it', async () => {
    const { code, stderr } = await call(['run', 'x'], {
      env: { PATH: '/usr/bin', TAILRACE_CLAUDE: '/nowhere/claude' },
    });
    expect(code).toBe(1);
    expect(stderr).toContain('npm install -g @anthropic-ai/claude-code');
  });
});

test('a run that nobody reads any more is stopped, and that is no success', async () => {
  const set = stage([
    ['demands'],
    ['init'],
    ['prompt'],
    ['text', 'first'],
    ['call', 'c1', 'Bash'],
    ['until-stdin-ends'],
  ]);
  const tailrace = start(['run', '--json', '--cwd', set.project, 'x'], { env: set.env });
  const ended = new Promise<number | null>((resolve) => tailrace.once('exit', resolve));
  let stderr = '';
  tailrace.stderr?.on('data', (bytes: Buffer) => {
    stderr += bytes.toString();
  });
  await new Promise<void>((resolve) => tailrace.stdout?.once('data', () => resolve()));
  tailrace.stdout?.destroy();
  expect(await ended).toBe(1);
  expect(stderr).toContain('nobody reads the output any more; the run is stopped');
  expect(isAlive(set.told().pid)).toBe(false);
});

test('when tailrace itself is killed, nothing of its run is left', async () => {
  const set = stage([
    ['child', 'own-session'],
    ['child', 'deaf'],
    ['child', 'bare'],
    ['init'],
    ['prompt'],
    ['call', 'c1', 'Bash'],
    ['hang'],
  ]);
  const children = join(set.env['HOME'] ?? '', 'children');
  const tailrace = start(['run', '--json', '--cwd', set.project, 'x'], {
    env: { ...set.env, FAKE_CHILDREN: children },
  });
  onTestFinished(() => {
    tailrace.kill('SIGKILL');
  });
  await new Promise<void>((resolve) => {
    let seen = '';
    tailrace.stdout?.on('data', (bytes: Buffer) => {
      seen += bytes.toString();
      if (seen.includes('tool-call-start')) resolve();
    });
  });
  const pids = [set.told().pid, ...readFileSync(children, 'utf8').trim().split('\n').map(Number)];
  expect(pids).toHaveLength(4);
  expect(pids.every(isAlive)).toBe(true);
  tailrace.kill('SIGKILL');
  while (pids.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, 10));
});

/** A zombie is dead. */
function isAlive(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'latin1') : '';
  return stat !== '' && !/\) Z /.test(stat);
}

/** A terminal with somebody at it: what is typed waits for what is seen. `script` makes the terminal. */
class Terminal {
  seen = '';
  private readonly child: ChildProcess;
  readonly ended: Promise<number | null>;

  constructor(words: readonly string[], { env, project }: Stage) {
    const line = [process.execPath, bin, ...words].map((word) => `'${word}'`).join(' ');
    this.child = spawn('script', ['-q', '-e', '-c', line, '/dev/null'], {
      cwd: project,
      env: { PATH: process.env['PATH'], TERM: 'xterm', NO_COLOR: '1', SHELL: '/bin/sh', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child.stdout?.on('data', (bytes: Buffer) => {
      this.seen += bytes.toString('utf8');
    });
    this.ended = new Promise((resolve) => this.child.once('close', resolve));
    onTestFinished(() => {
      this.child.kill('SIGKILL');
    });
  }

  /** Waits until it is on the screen after everything that was seen before. */
  async see(text: string): Promise<void> {
    const limit = Date.now() + 60_000;
    while (!this.seen.includes(text)) {
      if (Date.now() > limit) throw new Error(`"${text}" never came:\n${this.seen}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    this.seen = this.seen.slice(this.seen.indexOf(text) + text.length);
  }

  type(text: string): void {
    this.child.stdin?.write(text);
  }
}

const ASK = [
  ['init'],
  ['prompt'],
  ['call', 'c1', 'Bash', { command: 'rm -rf build' }],
  ['ask', 'c1', 'Bash', { command: 'rm -rf build' }],
];

describe('at a terminal', () => {
  test('a permission is asked for with the whole input, and the answer goes back', async () => {
    const set = stage([...ASK, ['result', 'Removed.'], ['until-stdin-ends']]);
    const terminal = new Terminal(['run', 'x'], set);
    await terminal.see('asks to use Bash');
    await terminal.see('command: rm -rf build');
    await terminal.see('[n] deny › ');
    terminal.type('y\r');
    await terminal.see('✓ done');
    expect(await terminal.ended).toBe(0);
    expect(set.stdin().at(-1)).toMatchObject({ response: { response: { behavior: 'allow' } } });
  });

  test('--notify rings when it waits for somebody, and when it ends', async () => {
    const set = stage([...ASK, ['result', 'Removed.'], ['until-stdin-ends']]);
    const terminal = new Terminal(['run', '--notify', 'x'], set);
    await terminal.see('\u0007');
    await terminal.see('[n] deny › ');
    terminal.type('y\r');
    await terminal.see('✓ done');
    await terminal.see('\u0007');
    expect(await terminal.ended).toBe(0);
  });

  test('[T-21] what was typed before the question was there answers nothing', async () => {
    const go = join(stage([]).project, 'go');
    const set = stage([
      ['init'],
      ['prompt'],
      ['text', 'I think.'],
      ['await-file', go],
      ...ASK.slice(2),
      ['result'],
      ['until-stdin-ends'],
    ]);
    const terminal = new Terminal(['run', 'x'], set);
    await terminal.see('I think.');
    terminal.type('y\ry\r');
    writeFileSync(go, '');
    await terminal.see('[n] deny › ');
    expect(existsSync(join(set.env['HOME'] ?? '', 'stdin'))).toBe(false);
    terminal.type('n\r');
    await terminal.see('instead?');
    terminal.type('leave it\r');
    await terminal.see('done');
    await terminal.ended;
    expect(set.stdin().at(-1)).toMatchObject({ response: { response: { behavior: 'deny', message: 'leave it' } } });
  });

  test('a question is answered by the number of an option', async () => {
    const set = stage([
      ['init'],
      ['prompt'],
      ['call', 'q1', 'AskUserQuestion'],
      ['question', 'q1', 'Which colour?', ['red', 'blue']],
      ['result'],
      ['until-stdin-ends'],
    ]);
    const terminal = new Terminal(['run', 'x'], set);
    await terminal.see('Which colour?');
    await terminal.see('2  blue');
    await terminal.see('› ');
    terminal.type('7\r');
    await terminal.see('there are 2 to choose from');
    await terminal.see('› ');
    terminal.type('2\r');
    await terminal.see('done');
    await terminal.ended;
    expect(set.stdin().at(-1)).toMatchObject({
      response: { response: { updatedInput: { answers: { 'Which colour?': 'blue' } } } },
    });
  });

  test('Ctrl-C interrupts first, which ends a run with one prompt; the exit code says so', async () => {
    const set = stage([['demands'], ['init'], ['prompt'], ['call', 'c1', 'Bash'], ['until-stdin-ends']]);
    const terminal = new Terminal(['run', 'x'], set);
    await terminal.see('working: Bash');
    terminal.type('\u0003');
    await terminal.see('interrupting');
    await terminal.see('stopped');
    expect(await terminal.ended).toBe(130);
  });

  test('a second Ctrl-C stops what does not listen, a third kills what hears no signal', async () => {
    const set = stage([['deaf'], ['init'], ['prompt'], ['call', 'c1', 'Bash'], ['hang']]);
    const terminal = new Terminal(['run', 'x'], set);
    await terminal.see('working: Bash');
    terminal.type('\u0003');
    await terminal.see('interrupting');
    terminal.type('\u0003');
    await terminal.see('stopping');
    terminal.type('\u0003');
    await terminal.see('killing');
    expect(await terminal.ended).toBe(130);
    expect(existsSync(`/proc/${set.told().pid}`)).toBe(false);
  });

  test('--chat goes on until an empty line', async () => {
    const terminal = new Terminal(['run', '--chat', 'first'], stage([['reply-to-prompts']]));
    await terminal.see('You said: first');
    await terminal.see('› ');
    terminal.type('second\r');
    await terminal.see('You said: second');
    await terminal.see('\n');
    await terminal.see('› ');
    terminal.type('\r');
    await terminal.see('✓ done');
    expect(await terminal.ended).toBe(0);
  });
});
