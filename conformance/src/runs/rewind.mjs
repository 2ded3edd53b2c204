// Going back to a prompt of a session that is over [G-15]: files, conversation, what commands left, and what cannot be done.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { changesSince, previewRewind, rewindSession } from '../../../packages/runner/dist/index.js';
import { waiting } from '../scenarios/common.mjs';
import { agent as subagent, text, tool } from '../script/blocks.mjs';
import { always, reply, usage } from '../script/replies.mjs';
import { claude as agent, program } from '../stage/claude.mjs';
import { bash, does, good, says, write } from './common.mjs';

const execute = promisify(execFile);
const command = fileURLToPath(new URL('../../../packages/cli/dist/tailrace.js', import.meta.url));

const session = '20000000-0000-4000-8000-000000000021';
const read = (name) => tool('Read', { file_path: name });
const edit = (name, from, to) => tool('Edit', { file_path: name, old_string: from, new_string: to });

/** What the model was told: the words of each message, in their order, and which tools it had called. */
const toldIn = (request) =>
  request.messages.flatMap(({ role, content }) =>
    (typeof content === 'string' ? [{ type: 'text', text: content }] : content)
      .filter((block) => role !== 'system' && block.type === 'text' && !block.text.startsWith('<system-reminder>'))
      .map((block) => block.text.trim()),
  );

/** Three prompts, each with an edit of the agent's and a command. */
const threeTurns = () => [
  does(read('a.txt'), 101, 21, 301, 0),
  reply([edit('a.txt', 'one', 'two'), bash('echo s1 > s1.txt')], usage(11, 22, 31, 301)),
  says('Did the first.', 12, 3, 32, 332),
  reply(
    [
      edit('a.txt', 'two', 'three'),
      write('b.txt'),
      bash('echo s2 > s2.txt; echo more >> a.txt; echo c2 >> c.txt; rm d.txt'),
    ],
    usage(13, 33, 33, 364),
  ),
  says('Did the second.', 14, 4, 34, 397),
  does(read('c.txt'), 15, 23, 35, 431),
  reply([edit('c.txt', 'c2', 'c3'), edit('a.txt', 'three', 'four'), bash('echo s3 > s3.txt')], usage(16, 34, 36, 466)),
  says('Did the third.', 17, 5, 37, 502),
];
const files = { 'a.txt': 'one\n', 'c.txt': 'c1\n', 'd.txt': 'd\n' };
const states = {
  1: { 'a.txt': 'one\n', 'b.txt': undefined, 'c.txt': 'c1\nc2\n' },
  2: { 'a.txt': 'two\n', 'b.txt': undefined, 'c.txt': 'c1\nc2\n' },
  3: { 'a.txt': 'three\nmore\n', 'b.txt': 'b.txt\n', 'c.txt': 'c1\nc2\n' },
  4: { 'a.txt': 'four\nmore\n', 'b.txt': 'b.txt\n', 'c.txt': 'c1\nc3\n' },
};
/** Commands left these whichever prompt one goes back to. */
const byCommands = { 's1.txt': 's1\n', 's2.txt': 's2\n', 's3.txt': 's3\n', 'd.txt': undefined };

const treeOf = (stage, like) =>
  Object.fromEntries(Object.keys(like).map((name) => [name, stage.has(name) ? stage.read(name) : undefined]));
const assertState = (stage, number) => {
  const expected = { ...states[number], ...byCommands };
  assert.deepEqual(treeOf(stage, expected), expected);
};

/** Plays the three prompts to the end of the process. */
async function play(stage, more = {}) {
  const played = await stage.start({
    prompt: 'First',
    sessionId: session,
    conversation: true,
    permissionMode: 'acceptEdits',
    allow: ['Bash'],
    expect: good,
    ...more,
  });
  await played.turns(1);
  const ids = [played.of('run-start')[0].promptId, played.run.send('Second')];
  await played.turns(2);
  ids.push(played.run.send('Third'));
  await played.turns(3);
  played.run.close();
  await played.end();
  assertState(stage, 4);
  return { played, ids };
}

const transcript = (stage) =>
  readFileSync(join(stage.folders.home, '.claude', agent.transcripts.fileOf(session, stage.folders.project)), 'utf8');

/** What `previewRewind` and `rewindSession` take. */
const asked = (stage, played, checkpoint, more = {}) => ({
  agent,
  program,
  env: stage.env,
  cwd: stage.folders.project,
  sessionId: session,
  checkpoint,
  changes: changesSince(played.events, checkpoint),
  ...more,
});
const nameOf = (path) => path.split('/').at(-1);
const names = (list) => list.map(({ path }) => nameOf(path)).sort();

/** The three prompts; after them everything is answered with one word, and what was asked is kept. */
const scenario =
  ({ play: act, ...more }) =>
  () => {
    const heard = [];
    const answer = (request) => {
      heard.push(toldIn(request));
      return says('Again.', 18, 6, 38, 540);
    };
    const lanes = { main: [...threeTurns(), always(answer)] };
    return { timeLimit: 60_000, files, lanes, play: (stage) => act(stage, heard), ...more };
  };

export const rewind = [
  scenario({
    name: 'run-go-back',
    description: '[G-15] Three prompts, then back to the second: files, conversation and what commands left are right.',
    play: async (stage, heard) => {
      const { played, ids } = await play(stage);
      const before = transcript(stage);
      const calls = stage.api.calls.length;
      const options = asked(stage, played, ids[1]);

      const preview = await previewRewind(options);
      assertState(stage, 4);
      assert.deepEqual(
        preview.files.map(({ path, action, isOverwritten }) => [nameOf(path), action, isOverwritten]).sort(),
        [
          ['a.txt', 'change', false],
          ['b.txt', 'remove', false],
          ['c.txt', 'change', false],
        ],
      );
      assert.ok(preview.linesAdded > 0 && preview.linesRemoved > 0);
      assert.equal(preview.prompt, 'Second');
      assert.deepEqual(preview.unwatched, []);
      // A command changed c.txt before the agent had a copy of it, so that stays; of a.txt it had one already.
      assert.deepEqual(
        preview.left.map(({ path, operation, isPartly }) => [nameOf(path), operation, isPartly]).sort(),
        [
          ['c.txt', 'modify', true],
          ['d.txt', 'delete', false],
          ['s2.txt', 'add', false],
          ['s3.txt', 'add', false],
        ],
      );
      const { calls: causes } = preview.left.find(({ path }) => path.endsWith('s2.txt'));
      assert.deepEqual(
        causes.map(({ toolName, title }) => [toolName, title.includes('echo s2')]),
        [['Bash', true]],
      );

      const { failed } = await rewindSession(options, preview);
      assert.deepEqual(failed, []);
      assertState(stage, 2);
      assert.equal(transcript(stage), before);
      assert.equal(stage.api.calls.length, calls);

      const again = await stage.start({ prompt: 'Another second', ...preview.next, expect: good });
      await again.end();
      assert.deepEqual(heard, [['First', 'Did the first.', 'Another second']]);
      assert.notEqual(again.run.sessionIds.reported, session);
      assert.equal(again.run.sessionIds.onDisk, again.run.sessionIds.reported);
      assert.equal(transcript(stage), before);
    },
  }),
  scenario({
    name: 'run-go-back-ends',
    description:
      '[G-15] Back to the third prompt, then to the first: before that there is nothing, so a new session begins.',
    play: async (stage, heard) => {
      const { played, ids } = await play(stage);
      const third = await rewindSession(asked(stage, played, ids[2]));
      assertState(stage, 3);
      assert.deepEqual(names(third.left), ['s3.txt']);
      const again = await stage.start({ prompt: 'Another third', ...third.next, expect: good });
      await again.end();
      assert.deepEqual(heard.pop(), ['First', 'Did the first.', 'Second', 'Did the second.', 'Another third']);

      const first = await rewindSession(asked(stage, played, ids[0]));
      assertState(stage, 1);
      assert.deepEqual(names(first.left), ['c.txt', 'd.txt', 's1.txt', 's2.txt', 's3.txt']);
      assert.deepEqual(first.next, {});
      const anew = await stage.start({ prompt: 'Another first', ...first.next, expect: good });
      await anew.end();
      assert.deepEqual(heard.pop(), ['Another first']);

      // The prompts of a session stay where they are: one can also go forward again.
      await rewindSession(asked(stage, played, ids[2]));
      assertState(stage, 3);
    },
  }),
  scenario({
    name: 'run-go-back-others',
    description:
      '[G-15] What a person has changed since is overwritten by the CLI: the preview says so, and what was not seen is not done.',
    play: async (stage) => {
      const { played, ids } = await play(stage);
      const options = asked(stage, played, ids[1]);
      const preview = await previewRewind(options);
      assert.deepEqual(names(preview.files.filter(({ isOverwritten }) => isOverwritten)), []);
      rmSync(stage.path('b.txt'));
      stage.write('a.txt', 'by the person\n');
      stage.write('mine.txt', 'mine\n');
      await assert.rejects(rewindSession(options, preview), { code: 'changed' });
      assert.equal(stage.read('a.txt'), 'by the person\n');
      const now = await previewRewind(options);
      assert.deepEqual(names(now.files.filter(({ isOverwritten }) => isOverwritten)), ['a.txt']);
      await rewindSession(options, now);
      assert.equal(stage.read('a.txt'), 'two\n');
      assert.equal(stage.read('mine.txt'), 'mine\n');
    },
  }),
  scenario({
    name: 'run-go-back-refused',
    description: '[G-15] Unknown prompts, sessions and folders are refused in words, and nothing is touched.',
    play: async (stage) => {
      const { played, ids } = await play(stage);
      const elsewhere = join(stage.folders.home, 'elsewhere');
      mkdirSync(elsewhere);
      const nobody = '20000000-0000-4000-8000-000000000099';
      for (const [code, more] of [
        ['no-such-checkpoint', { checkpoint: nobody, changes: changesSince(played.events, nobody) }],
        ['no-session', { sessionId: nobody }],
        ['no-session', { sessionId: '../../etc/passwd' }],
        // From there the CLI would find the session, and write the files there.
        ['no-session', { cwd: elsewhere }],
        ['value-refused', { checkpoint: '--version' }],
      ])
        for (const act of [previewRewind, rewindSession])
          await assert.rejects(act(asked(stage, played, ids[1], more)), { code });
      assertState(stage, 4);
      assert.deepEqual(readdirSync(elsewhere), []);
    },
  }),
  scenario({
    name: 'run-go-back-not-kept',
    description: '[G-15] A session that was begun without checkpoints is refused in words, and nothing is touched.',
    play: async (stage) => {
      const { played, ids } = await play(stage, { checkpoints: false });
      for (const act of [previewRewind, rewindSession])
        await assert.rejects(act(asked(stage, played, ids[1])), {
          code: 'no-checkpoint',
          message: /No file checkpoint/,
        });
      assertState(stage, 4);
    },
  }),
  () => ({
    name: 'run-go-back-queued',
    description: '[G-15] A prompt that was taken up in the middle of a turn cannot be gone back to, and that is said.',
    lanes: {
      main: [
        reply([text('Waiting.'), bash(waiting)], usage(162, 30, 492, 0)),
        always(() => says('Answered.', 10, 5, 104, 492)),
      ],
    },
    async play(stage) {
      const played = await stage.start({ prompt: 'First', sessionId: session, allow: ['Bash'], expect: good });
      await played.until(() => stage.has('begun'), 'the tool runs');
      const id = played.run.send('Second');
      const isQueued = (line) => line.type === 'command_lifecycle' && line.command_uuid === id;
      await played.until(() => played.lines('stdout').some(isQueued), 'it is queued');
      stage.write('go');
      await played.end();
      await assert.rejects(previewRewind(asked(stage, played, id)), {
        code: 'no-such-checkpoint',
        message: /in the middle of a turn/,
      });
    },
  }),
  () => ({
    name: 'run-go-back-compacted',
    description: '[G-15] Behind a compaction the conversation cannot be cut: then the files are not set back either.',
    files: { 'a.txt': 'one\n' },
    lanes: {
      main: [
        says('Hello.', 161, 4, 491, 0),
        does(read('a.txt'), 101, 21, 301, 0),
        does(edit('a.txt', 'one', 'two'), 11, 22, 31, 301),
        reply([text('A long answer about water. '.repeat(40))], usage(4010, 300, 20000, 0)),
        says('Still here.', 61, 5, 510, 100),
      ],
      $compact: [says('<summary>\n1. Primary Request and Intent: water.\n</summary>', 4200, 81, 33, 20000)],
    },
    async play(stage) {
      const played = await stage.start({
        prompt: 'First',
        sessionId: session,
        conversation: true,
        permissionMode: 'acceptEdits',
        expect: good,
      });
      await played.turns(1);
      const second = played.run.send('Second');
      await played.turns(2);
      played.run.send('/compact');
      await played.turns(3);
      await played.until(() => played.run.state === 'idle', 'idle');
      played.run.send('Are you still here?');
      await played.turns(4);
      played.run.close();
      await played.end();
      for (const act of [previewRewind, rewindSession])
        await assert.rejects(act(asked(stage, played, second)), { code: 'refused', message: /No message found/ });
      assert.equal(stage.read('a.txt'), 'two\n');
    },
  }),
  () => ({
    name: 'run-go-back-subagent',
    description: '[G-15] Of what a sub-agent edits the CLI keeps no copies: it stays, and the preview names it.',
    files: { 'a.txt': 'one\n' },
    lanes: {
      main: [
        says('Hello.', 161, 4, 491, 0),
        reply([subagent('AGENT-A', 'Change it')], usage(101, 21, 301, 0)),
        says('Done.', 14, 4, 34, 397),
      ],
      'AGENT-A': [
        does(read('a.txt'), 15, 23, 35, 431),
        reply([edit('a.txt', 'one', 'two'), write('b.txt'), bash('echo s > s.txt')], usage(11, 22, 31, 301)),
        says('Changed.', 12, 3, 32, 332),
      ],
    },
    async play(stage) {
      const played = await stage.start({
        prompt: 'First',
        sessionId: session,
        conversation: true,
        permissionMode: 'acceptEdits',
        allow: ['Bash'],
        expect: good,
      });
      await played.turns(1);
      const second = played.run.send('Second');
      await played.turns(2);
      played.run.close();
      await played.end();
      assert.equal(stage.read('a.txt'), 'two\n');
      const { files: back, left } = await rewindSession(asked(stage, played, second));
      assert.deepEqual(back, []);
      assert.deepEqual(names(left), ['a.txt', 'b.txt', 's.txt']);
      assert.deepEqual(
        left.map(({ calls }) => calls.map(({ toolName, subagentId }) => [toolName, subagentId !== undefined])).sort(),
        [[['Bash', true]], [['Edit', true]], [['Write', true]]],
      );
      assert.equal(stage.read('a.txt'), 'two\n');
    },
  }),
  scenario({
    name: 'run-go-back-hooks',
    description: '[G-15] Going back runs no hooks; what hooks said before the first prompt counts for nothing.',
    play: async (stage, heard) => {
      const { played, ids } = await play(stage);
      const begun = () => readFileSync(join(stage.folders.home, 'begun'), 'utf8');
      const before = begun();
      const { next } = await rewindSession(asked(stage, played, ids[0]));
      assertState(stage, 1);
      assert.equal(begun(), before);
      const anew = await stage.start({ prompt: 'Another first', ...next, expect: good });
      await anew.end();
      assert.notEqual(begun(), before);
      assert.deepEqual(
        heard.pop().filter((words) => !words.includes('from a hook')),
        ['Another first'],
      );
    },
    homeFiles: {
      '.claude/settings.json': {
        hooks: {
          SessionStart: [{ hooks: [{ type: 'command', command: 'echo x >> "$HOME/begun"; echo from a hook' }] }],
        },
      },
    },
  }),
  scenario({
    name: 'run-go-back-command',
    description:
      '[G-15] The same with the command, from what the store has kept of it: run, checkpoints, rewind, and the run that it names.',
    play: async (stage, heard) => {
      const { project } = stage.folders;
      const env = { ...stage.env, TAILRACE_HOME: join(stage.folders.home, 'data') };
      const tailrace = async (...words) => {
        const { stdout } = await execute(process.execPath, [command, ...words], { env, cwd: project });
        return stdout;
      };
      const run = (prompt, ...more) =>
        tailrace(
          'run',
          '--program',
          program,
          '--permission-mode',
          'acceptEdits',
          '--allow',
          'Bash',
          ...more,
          '--',
          prompt,
        );
      await run('First', '--session-id', session);
      await run('Second', '--resume', session);
      await run('Third', '--resume', session);
      assertState(stage, 4);
      const listed = JSON.parse(await tailrace('sessions', '--json'));
      assert.deepEqual(
        listed.map(({ id, turns, cwd, status }) => [id, turns, cwd, status]),
        [[session, 3, project, 'success']],
      );
      const checkpoints = JSON.parse(await tailrace('checkpoints', 'last', '--json'));
      assert.deepEqual(
        checkpoints.map(({ text }) => text),
        ['First', 'Second', 'Third'],
      );
      const [, { id: second }] = checkpoints;
      const shown = await tailrace('rewind', 'last', second.slice(0, 8), '--program', program, '--dry-run');
      for (const words of ['a.txt', 'b.txt', 's2.txt', 'echo s2'])
        assert.ok(shown.includes(words), `${words}: ${shown}`);
      assertState(stage, 4);
      const done = JSON.parse(await tailrace('rewind', session, second, '--program', program, '--yes', '--json'));
      assert.deepEqual(done.failed, []);
      assert.deepEqual(names(done.left), ['c.txt', 'd.txt', 's2.txt', 's3.txt']);
      assertState(stage, 2);
      const { resume, resumeAt } = done.next;
      await run('Another second', '--resume', resume, '--resume-at', resumeAt, '--fork');
      assert.deepEqual(heard, [['First', 'Did the first.', 'Another second']]);
      assert.equal(JSON.parse(await tailrace('sessions', '--json')).length, 2);
      assert.ok((await tailrace('resume', session)).includes(`claude --resume ${session}`));
    },
  }),
];
