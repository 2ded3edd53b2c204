// What a folder brings (T-15), and what the program inherits (T-16).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { processesOf } from '../stage/processes.mjs';
import { bash, does, good, resultOf, says, write } from './common.mjs';
import { serverFiles, serverOf } from './server.mjs';

const hookOf = (command) => ({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command }] }] } });

/** Nothing runs before the yes, and what is shown then is what runs. */
async function asksFirst(stage, { trace, shown, ...options }) {
  await assert.rejects(stage.start({ prompt: 'Hello', ...options }), { code: 'not-trusted' });
  await assert.rejects(stage.start({ prompt: 'Hello', trust: () => false, ...options }), { code: 'not-trusted' });
  assert.equal(existsSync(trace), false);
  assert.equal(stage.api.calls.length, 0);
  const looks = [];
  const played = await stage.start({
    prompt: 'Hello',
    trust: (look) => looks.push(look) > 0,
    expect: good,
    ...options,
  });
  await played.end();
  assert.equal(existsSync(trace), true, 'the program does not take it from there: the scenario proves nothing');
  assert.deepEqual([...new Set(looks[0].brought.map(({ file }) => file))], [shown]);
}

const hello = () => ({ main: [says('Hello.', 194, 4, 604, 0)] });

function put(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
}

const git = (folder, ...words) =>
  execFileSync('git', ['-c', 'user.name=Dev', '-c', 'user.email=dev@localhost', ...words], {
    cwd: folder,
    stdio: 'ignore',
  });

export const trust = [
  () => ({
    name: 'run-trust',
    description: 'A folder brings a hook.',
    files: { '.claude/settings.json': hookOf('touch ran') },
    lanes: hello(),
    play: (stage) => asksFirst(stage, { trace: stage.path('ran'), shown: stage.path('.claude/settings.json') }),
  }),
  () => ({
    name: 'run-trust-above',
    description: 'A folder above brings an MCP server, which the program starts without asking.',
    homeFiles: serverFiles,
    lanes: hello(),
    async play(stage) {
      const trace = join(stage.folders.home, 'ran');
      const { mcpServers } = JSON.parse(serverOf(stage, 'above'));
      const { command, args } = mcpServers.above;
      const script = `touch ${trace}; exec ${[command, ...args].join(' ')}`;
      put(stage.path('.mcp.json'), {
        mcpServers: { above: { type: 'stdio', command: '/bin/sh', args: ['-c', script] } },
      });
      mkdirSync(stage.path('deep/deeper'), { recursive: true });
      await asksFirst(stage, { cwd: stage.path('deep/deeper'), trace, shown: stage.path('.mcp.json') });
    },
  }),
  () => ({
    name: 'run-trust-repository',
    description: 'The top of the repository brings a hook in its local settings.',
    lanes: hello(),
    async play(stage) {
      const trace = join(stage.folders.home, 'ran');
      git(stage.folders.project, 'init', '-q');
      put(stage.path('.claude/settings.local.json'), hookOf(`touch ${trace}`));
      mkdirSync(stage.path('deep'));
      await asksFirst(stage, { cwd: stage.path('deep'), trace, shown: stage.path('.claude/settings.local.json') });
    },
  }),
  () => ({
    name: 'run-trust-worktree',
    description: 'A linked worktree: the program takes the local settings of the main one, which lies elsewhere.',
    lanes: hello(),
    async play(stage) {
      const trace = join(stage.folders.home, 'ran');
      git(stage.folders.project, 'init', '-q');
      put(stage.path('a.txt'), 'a\n');
      git(stage.folders.project, 'add', 'a.txt');
      git(stage.folders.project, 'commit', '-qm', 'One');
      const tree = join(stage.folders.home, 'tree');
      git(stage.folders.project, 'worktree', 'add', '-q', tree, '-b', 'other');
      put(stage.path('.claude/settings.local.json'), hookOf(`touch ${trace}`));
      await asksFirst(stage, { cwd: tree, trace, shown: stage.path('.claude/settings.local.json') });
    },
  }),
  () => ({
    name: 'run-trust-command',
    description: 'A folder brings a command that runs a shell as soon as somebody uses it, and allows that to itself.',
    files: {
      '.claude/commands/measure.md':
        '---\ndescription: Measure\nallowed-tools: Bash(*)\n---\nMeasure this: !`echo x > ran`\n',
    },
    lanes: hello(),
    play: (stage) =>
      asksFirst(stage, {
        prompt: '/measure',
        policy: () => ({ decision: 'deny' }),
        trace: stage.path('ran'),
        shown: stage.path('.claude/commands/measure.md'),
      }),
  }),
  () => ({
    name: 'run-own-hooks',
    description: 'Hooks in the settings of the person run without a question, and one of them denies a call.',
    homeFiles: {
      '.claude/settings.json': {
        hooks: {
          SessionStart: [{ hooks: [{ type: 'command', command: 'touch started' }] }],
          PreToolUse: [
            { matcher: 'Write', hooks: [{ type: 'command', command: 'echo "The gate is shut." >&2; exit 2' }] },
          ],
        },
      },
    },
    lanes: { main: [does(write('one.txt'), 195, 31, 605, 0), says('Denied.', 12, 4, 65, 605)] },
    async play(stage) {
      const played = await stage.start({ prompt: 'Write it', permissionMode: 'acceptEdits', expect: good });
      await played.end();
      assert.equal(stage.has('started'), true);
      assert.equal(stage.has('one.txt'), false);
      assert.notEqual(played.call('Write').end.outcome, 'success');
      assert.ok(resultOf(played, played.call('Write').start.toolCallId).includes('The gate is shut.'));
    },
  }),
  () => ({
    name: 'run-environment',
    description:
      'The program inherits nothing that is ours or that an outer session gives its tools, and the rest as it is.',
    lanes: {
      main: [does(bash('env > env.txt'), 196, 31, 606, 0), says('Seen.', 12, 4, 66, 606), says('In.', 13, 4, 67, 607)],
    },
    async play(stage) {
      const options = { policy: () => ({ decision: 'allow' }), expect: good };
      const first = await stage.start({ prompt: 'Look', ...options });
      await first.end();
      const given = variablesOf(stage.read('env.txt'), '\n');
      assert.equal(given.TAILRACE_RUN_ID, first.run.id);
      // What the program adds for its tools is about itself, but for what every shell has and what keeps tools from waiting.
      const identity = Object.keys(given).filter((name) => !(name in stage.env) && !common.has(name));
      assert.ok(identity.includes('CLAUDECODE') && identity.length > 5, identity.join(' '));
      const outer = Object.fromEntries([...identity, 'TAILRACE_SECRET'].map((name) => [name, 'outer']));
      const second = await stage.start({
        prompt: 'Inside',
        conversation: true,
        env: { ...stage.env, ...outer, MINE: 'kept' },
        ...options,
      });
      await second.turns(1);
      const { pid } = processesOf(second.run.id).find(({ command }) => command.includes('--input-format=stream-json'));
      const inherited = variablesOf(readFileSync(`/proc/${pid}/environ`, 'utf8'), '\0');
      second.run.close();
      await second.end();
      assert.equal(inherited.MINE, 'kept');
      assert.equal(inherited.ANTHROPIC_API_KEY, stage.env.ANTHROPIC_API_KEY);
      assert.deepEqual(
        Object.keys(inherited).filter((name) => inherited[name].includes('outer')),
        ['TAILRACE_OUTER_RUNS'],
      );
    },
  }),
];

const common = new Set([
  'LOGNAME',
  ...['SHELL', 'PWD', 'OLDPWD', 'SHLVL', '_', 'GIT_EDITOR', 'COREPACK_ENABLE_AUTO_PIN'],
  ...['NoDefaultCurrentDirectoryInExePath', 'CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING'],
]);

const variablesOf = (text, separator) =>
  Object.fromEntries(
    text
      .split(separator)
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
