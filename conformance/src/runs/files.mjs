// Files: what changed and by which call, how to go back, what is large, and what is kept from the tools.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCheckpoints } from '../../../packages/runner/dist/index.js';
import { text, tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { bash, does, good, resultOf, says, write } from './common.mjs';

const large = 'Größe 🌊\n'.repeat(90_000);
const edit = (from, to) => tool('Edit', { file_path: 'a.txt', old_string: from, new_string: to });

/** The agent writes beside a file and puts that in its place: whoever looks in between has truly seen it. */
const DRAFT = /\.tmp\.\d+\.[0-9a-f]+$/;

/** Which call changed which file, each told once. */
const changesOf = (played) =>
  played
    .of('file-change')
    .flatMap(({ toolCallId, candidates, changes }) =>
      changes.map(({ path, operation }) => [
        path.split('/').at(-1),
        operation,
        toolCallId ?? candidates?.join() ?? null,
      ]),
    )
    .filter(([name]) => !DRAFT.test(name));

export const files = [
  () => ({
    name: 'run-file-changes',
    description:
      'Changes by Write, by Edit, by a shell command and by the person are each told once, with their cause.',
    files: { 'a.txt': 'alpha\n', 'gone.txt': 'x\n' },
    lanes: {
      main: [
        does(write('b.txt'), 101, 21, 301, 0),
        does(tool('Read', { file_path: 'a.txt' }), 11, 22, 31, 301),
        does(edit('alpha', 'omega'), 11, 22, 31, 332),
        does(bash('echo c > c.txt; rm gone.txt'), 13, 24, 33, 363),
        says('All is done.', 14, 5, 34, 396),
        says('Good.', 14, 5, 34, 430),
      ],
    },
    async play(stage) {
      const played = await stage.start({
        prompt: 'Work with the files',
        conversation: true,
        permissionMode: 'acceptEdits',
        allow: ['Bash'],
        expect: good,
      });
      await played.turns(1);
      stage.write('mine.txt', 'mine\n');
      await played.until(() => changesOf(played).some(([name]) => name === 'mine.txt'), 'the change by the person');
      played.run.send('Go on');
      await played.turns(2);
      played.run.close();
      await played.end();
      const id = (name) => played.call(name).start.toolCallId;
      assert.deepEqual(changesOf(played).sort(), [
        ['a.txt', 'modify', id('Edit')],
        ['b.txt', 'add', id('Write')],
        ['c.txt', 'add', id('Bash')],
        ['gone.txt', 'delete', id('Bash')],
        ['mine.txt', 'add', null],
      ]);
    },
  }),
  () => ({
    name: 'run-rewind',
    description: 'Each prompt is a checkpoint under the id it was given; files go back to it, first only as a try.',
    files: { 'a.txt': 'one\n' },
    lanes: {
      main: [
        does(tool('Read', { file_path: 'a.txt' }), 102, 21, 302, 0),
        does(edit('one', 'two'), 11, 22, 31, 302),
        says('Two.', 12, 3, 32, 333),
        reply([edit('two', 'three'), write('b.txt')], usage(13, 33, 33, 365)),
        says('Three.', 12, 3, 34, 398),
      ],
    },
    async play(stage) {
      const checkpoints = createCheckpoints();
      const played = await stage.start({
        prompt: 'Make it two',
        conversation: true,
        permissionMode: 'acceptEdits',
        expect: good,
      });
      await played.turns(1);
      const second = played.run.send('Make it three');
      await played.turns(2);
      assert.equal(stage.read('a.txt'), 'three\n');
      for (const event of played.events) checkpoints.add(event);
      const first = played.of('run-start')[0].promptId;
      assert.deepEqual(
        checkpoints.of(played.run.sessionIds.reported).map(({ id, text: words }) => [id, words]),
        [
          [first, 'Make it two'],
          [second, 'Make it three'],
        ],
      );
      const tried = await played.run.rewindFiles(second, { dryRun: true });
      assert.ok(tried.files.some((path) => path.endsWith('a.txt')));
      assert.equal(stage.read('a.txt'), 'three\n');
      await played.run.rewindFiles(second);
      assert.equal(stage.read('a.txt'), 'two\n');
      assert.equal(stage.has('b.txt'), false);
      await played.run.rewindFiles(first);
      assert.equal(stage.read('a.txt'), 'one\n');
      await assert.rejects(played.run.rewindFiles('20000000-0000-4000-8000-000000000077'), { code: 'refused' });
      played.run.close();
      await played.end();
    },
  }),
  () => ({
    name: 'run-large',
    description: 'A text of 1 MB is written into a file, and its line is whole in the record.',
    lanes: {
      main: [does(write('large.txt', large), 103, 60_000, 303, 0), says('Large.', 12, 3, 33, 303)],
    },
    async play(stage) {
      const played = await stage.start({ prompt: 'Write a lot', permissionMode: 'acceptEdits', expect: good });
      await played.end();
      assert.ok(stage.read('large.txt') === large);
      const longest = Math.max(...played.rows.map((row) => row.bytes.length));
      assert.ok(longest > 1_000_000, `${longest}`);
    },
  }),
  // Characters that mean something in a rule mean themselves in a folder's name.
  ...[
    ['run-forbid', 'data'],
    ['run-forbid-brackets', 'd[a]'],
    ['run-forbid-star', 'd* (a)'],
  ].map(([name, named]) => () => ({
    name,
    description: 'Nothing in a forbidden folder is read or changed by a tool, whatever else is allowed.',
    // A link into it, and a folder whose name only begins the same.
    lanes: {
      main: [
        (request) => {
          const { folder } = JSON.parse(
            /\{"folder":.*?\}/.exec(JSON.stringify(request.messages).replaceAll('\\"', '"'))[0],
          );
          return reply(
            [
              tool('Read', { file_path: `${folder}/secret.txt` }),
              tool('Edit', { file_path: `${folder}/secret.txt`, old_string: 'secret', new_string: 'known' }),
              tool('Write', { file_path: `${folder}/new.txt`, content: 'new\n' }),
              tool('Grep', { pattern: 'secret', path: folder, output_mode: 'content' }),
              tool('Read', { file_path: `${folder}-beside/open.txt` }),
              bash(`cat '${folder}/secret.txt'`),
            ],
            usage(104, 61, 304, 0),
          );
        },
        says('Tried.', 12, 3, 34, 304),
      ],
    },
    async play(stage) {
      const folder = join(stage.folders.home, named);
      for (const name of [folder, `${folder}-beside`]) mkdirSync(name);
      writeFileSync(join(folder, 'secret.txt'), 'a secret\n');
      writeFileSync(join(`${folder}-beside`, 'open.txt'), 'open\n');
      const played = await stage.start({
        prompt: JSON.stringify({ folder }),
        permissionMode: 'acceptEdits',
        allow: ['Read', 'Edit', 'Write', 'Grep'],
        addDirs: [stage.folders.home],
        forbid: [folder],
        policy: () => ({ decision: 'allow' }),
        expect: good,
      });
      await played.end();
      const told = played
        .of('tool-call-start')
        .map(({ toolName, toolCallId }) => [
          toolName,
          resultOf(played, toolCallId).includes('a secret'),
          played.of('tool-call-end').find((end) => end.toolCallId === toolCallId).outcome,
        ]);
      assert.deepEqual(told.slice(0, 5), [
        ['Read', false, 'denied'],
        ['Edit', false, 'denied'],
        ['Write', false, 'denied'],
        ['Grep', false, 'denied'],
        ['Read', false, 'success'],
      ]);
      assert.deepEqual(told[5].slice(0, 2), ['Bash', false]);
    },
  })),
  () => ({
    name: 'run-whole',
    description: 'Without partial messages the texts come whole, and are the same.',
    lanes: {
      main: [
        reply([text('First words.'), tool('Read', { file_path: 'a.txt' })], usage(105, 21, 305, 0)),
        says('Last words.', 12, 3, 35, 305),
      ],
    },
    files: { 'a.txt': 'a\n' },
    async play(stage) {
      const played = await stage.start({ prompt: 'Read it', partial: false, expect: good });
      await played.end();
      assert.equal(played.lines('stdout').filter((line) => line.type === 'stream_event').length, 0);
      assert.equal(played.text, 'First words.Last words.');
    },
  }),
];
