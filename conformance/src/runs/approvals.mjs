// Permissions over stdio: each answer is seen to have had its effect, in the files and in the events.
import assert from 'node:assert/strict';
import { text, tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { bash, does, good, resultOf, says, write } from './common.mjs';

export const approvals = [
  () => ({
    name: 'run-allow-once',
    description: 'A call is allowed once; the next one of its kind is asked for again.',
    lanes: {
      main: [
        does(write('one.txt'), 91, 31, 401, 0),
        does(write('two.txt'), 11, 32, 41, 401),
        says('Both are written.', 12, 6, 42, 442),
      ],
    },
    async play(stage) {
      const played = await stage.start({ prompt: 'Write two files', expect: good });
      for (const name of ['one.txt', 'two.txt']) {
        const request = await played.asked('Write');
        assert.equal(request.input.file_path, stage.path(name));
        assert.equal(played.run.state, 'waiting');
        assert.equal(stage.has(name), false);
        played.run.answer(request.requestId, { decision: 'allow' });
        assert.throws(() => played.run.answer(request.requestId, { decision: 'deny' }), { code: 'no-such-request' });
      }
      await played.end();
      assert.equal(stage.read('two.txt'), 'two.txt\n');
      const resolved = played.of('permission-resolve');
      assert.deepEqual(
        resolved.map(({ decision, by }) => [decision, by]),
        [
          ['allowed', 'user'],
          ['allowed', 'user'],
        ],
      );
      assert.deepEqual(
        resolved.map(({ requestId }) => requestId),
        played.requests.map(({ requestId }) => requestId),
      );
    },
  }),
  () => ({
    name: 'run-allow-always',
    files: { 'count.mjs': 'console.log(1 + 1)\n' },
    description: 'A command is allowed for good: it is not asked for again, and nothing else is allowed by it.',
    lanes: {
      main: [
        does(bash('node count.mjs'), 92, 31, 402, 0),
        does(bash('node count.mjs'), 11, 32, 42, 402),
        does(write('two.txt'), 11, 33, 42, 444),
        says('All made.', 12, 6, 43, 528),
      ],
    },
    async play(stage) {
      const played = await stage.start({ prompt: 'Count twice', expect: good });
      const first = await played.asked('Bash');
      played.run.answer(first.requestId, { decision: 'allow', always: true });
      const second = await played.asked('Write');
      played.run.answer(second.requestId, { decision: 'allow' });
      await played.end();
      assert.deepEqual(
        played.of('tool-call-end').map(({ outcome }) => outcome),
        ['success', 'success', 'success'],
      );
      assert.equal(played.requests.length, 2);
    },
  }),
  () => ({
    name: 'run-allow-always-again',
    description: 'What was allowed for good does not make the folder one that nobody trusts at the next start.',
    files: { 'count.mjs': 'console.log(1 + 1)\n' },
    lanes: {
      main: [
        does(bash('node count.mjs'), 92, 31, 402, 0),
        says('Counted.', 12, 6, 43, 402),
        says('Counted again.', 13, 6, 44, 445),
      ],
    },
    async play(stage) {
      const first = await stage.start({ prompt: 'Count', expect: good });
      const { requestId } = await first.asked('Bash');
      first.run.answer(requestId, { decision: 'allow', always: true });
      await first.end();
      const second = await stage.start({ prompt: 'Count again', expect: good });
      await second.end();
    },
  }),
  () => ({
    name: 'run-allow-changed',
    description: 'A call is allowed with another input than the model asked for.',
    lanes: { main: [does(write('one.txt'), 93, 31, 403, 0), says('Written.', 12, 6, 43, 403)] },
    async play(stage) {
      const played = await stage.start({ prompt: 'Write it', expect: good });
      const { requestId, input } = await played.asked('Write');
      played.run.answer(requestId, { decision: 'allow', input: { ...input, content: 'changed\n' } });
      await played.end();
      assert.equal(stage.read('one.txt'), 'changed\n');
    },
  }),
  () => ({
    name: 'run-deny-reason',
    description: 'A call is denied; the model gets the reason and goes on.',
    lanes: { main: [does(write('one.txt'), 94, 31, 404, 0), says('Not written.', 12, 6, 44, 404)] },
    async play(stage) {
      const played = await stage.start({ prompt: 'Write it', expect: good });
      const { requestId, toolCallId } = await played.asked('Write');
      played.run.answer(requestId, { decision: 'deny', reason: 'Not into this folder.' });
      await played.end();
      assert.equal(stage.has('one.txt'), false);
      assert.equal(played.call('Write').end.outcome, 'denied');
      assert.ok(resultOf(played, toolCallId).includes('Not into this folder.'));
      assert.equal(played.text, 'Not written.');
    },
  }),
  () => ({
    name: 'run-deny-interrupt',
    description: 'A call is denied and the turn broken off; the conversation goes on.',
    lanes: {
      main: [reply([text('I write.'), write('one.txt')], usage(95, 31, 405, 0)), says('Nothing was.', 12, 6, 45, 405)],
    },
    async play(stage) {
      const played = await stage.start({ prompt: 'Write it', conversation: true, expect: good });
      const { requestId } = await played.asked('Write');
      played.run.answer(requestId, { decision: 'deny', reason: 'Stop here.', interrupt: true });
      await played.turns(1);
      await played.until(() => played.run.state === 'idle', 'idle');
      assert.equal(played.of('turn-end')[0].outcome, 'cancelled');
      played.run.send('And now?');
      await played.turns(2);
      played.run.close();
      await played.end();
      assert.equal(stage.has('one.txt'), false);
      assert.equal(played.of('turn-end')[1].outcome, 'success');
    },
  }),
  () => ({
    name: 'run-policy',
    description: 'A policy answers by itself and leaves what it does not know to the person.',
    lanes: {
      main: [
        does(bash('touch by-policy'), 96, 31, 406, 0),
        does(write('by-person.txt'), 11, 32, 46, 406),
        says('Both done.', 12, 6, 47, 452),
      ],
    },
    async play(stage) {
      const played = await stage.start({
        prompt: 'Do both',
        policy: ({ toolName }) => (toolName === 'Bash' ? { decision: 'allow' } : undefined),
        expect: good,
      });
      const { requestId } = await played.asked('Write');
      assert.equal(stage.has('by-policy'), true);
      played.run.answer(requestId, { decision: 'allow' });
      await played.end();
      assert.deepEqual(
        played.of('permission-resolve').map(({ by }) => by),
        ['policy', 'user'],
      );
      assert.equal(played.requests.length, 1);
    },
  }),
  () => ({
    name: 'run-two-waiting',
    description: 'Two calls wait at once and are answered the other way round.',
    homeFiles: { 'outside/one.txt': 'one\n', 'outside/two.txt': 'two\n' },
    lanes: {
      main: [
        reply(
          [tool('Read', { file_path: '../outside/one.txt' }), tool('Read', { file_path: '../outside/two.txt' })],
          usage(97, 61, 407, 0),
        ),
        says('Only the second.', 12, 6, 47, 407),
      ],
    },
    async play(stage) {
      const played = await stage.start({ prompt: 'Read both', expect: good });
      const first = await played.asked('Read');
      const second = await played.asked('Read');
      assert.equal(played.run.requests.length, 2);
      played.run.answer(second.requestId, { decision: 'allow' });
      assert.equal(played.run.state, 'waiting');
      played.run.answer(first.requestId, { decision: 'deny' });
      await played.end();
      assert.equal(resultOf(played, second.toolCallId).includes('two'), true);
      assert.equal(resultOf(played, first.toolCallId).includes('one\n'), false);
    },
  }),
];
