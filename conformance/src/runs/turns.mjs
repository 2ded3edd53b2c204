// Conversations: several prompts, prompts that wait, turns that are broken off, and what is asked of the agent in between.
import assert from 'node:assert/strict';
import { held } from '../runner/steps.mjs';
import { waiting } from '../scenarios/common.mjs';
import { text, tool } from '../script/blocks.mjs';
import { hold } from '../script/marks.mjs';
import { always, reply, usage } from '../script/replies.mjs';
import { bash, does, good, says, write } from './common.mjs';

const summary = '<analysis>\nShort.\n</analysis>\n\n<summary>\n1. Primary Request and Intent: water.\n</summary>';

/** The texts that the agent took up as prompts, and their ids. */
const taken = (played) =>
  played
    .of('user-message')
    .filter(({ origin }) => origin === 'replay')
    .map(({ messageId, content }) => [messageId, content.map((part) => part.text).join('')]);

export const turns = [
  () => ({
    name: 'run-turns',
    description: 'Three prompts, one after the other; stdin closes when the person ends it.',
    lanes: {
      main: [says('One.', 161, 4, 491, 0), says('Two.', 11, 4, 101, 491), says('Three.', 11, 4, 102, 592)],
    },
    async play(stage) {
      const played = await stage.start({ prompt: 'First', conversation: true, expect: good });
      const ids = [played.of('run-start')[0].promptId];
      await played.turns(1);
      ids.push(played.run.send('Second'));
      await played.turns(2);
      await played.until(() => played.run.state === 'idle', 'idle');
      ids.push(played.run.send('Third'));
      assert.equal(played.run.state, 'working');
      await played.turns(3);
      played.run.close();
      await played.end();
      assert.deepEqual(taken(played), [
        [ids[0], 'First'],
        [ids[1], 'Second'],
        [ids[2], 'Third'],
      ]);
      assert.equal(played.text, 'One.Two.Three.');
      assert.throws(() => played.run.send('Too late'), { code: 'not-listening' });
    },
  }),
  () => ({
    name: 'run-queued',
    description: 'Two prompts come while a tool runs; the run ends by itself when all are answered.',
    lanes: {
      main: [
        reply([text('Waiting.'), bash(waiting)], usage(162, 30, 492, 0)),
        always(() => says('Answered.', 10, 5, 104, 492)),
      ],
    },
    async play(stage) {
      const played = await stage.start({ prompt: 'First', allow: ['Bash'], expect: good });
      await played.until(() => stage.has('begun'), 'the tool runs');
      const ids = [played.run.send('Second'), played.run.send('Third')];
      const isQueued = (id) =>
        played.lines('stdout').some((line) => line.type === 'command_lifecycle' && line.command_uuid === id);
      await played.until(() => ids.every(isQueued), 'both are queued');
      stage.write('go');
      await played.end();
      assert.deepEqual(
        taken(played).map(([, words]) => words),
        ['First', 'Second', 'Third'],
      );
      assert.deepEqual(
        taken(played)
          .slice(1)
          .map(([id]) => id),
        ids,
      );
    },
  }),
  () => ({
    name: 'run-interrupt-text',
    description: 'A turn is broken off in the middle of a text; the conversation goes on.',
    lanes: {
      main: [
        reply([text(['The water runs ', 'and runs ', hold(), 'never sent'])], usage(163, 400, 493, 0)),
        says('The end.', 11, 4, 103, 493),
      ],
    },
    async play(stage) {
      const played = await stage.start({ prompt: 'A long story', conversation: true, expect: good });
      await stage.moment(held());
      await played.until(() => played.text.includes('and runs'), 'the text');
      await played.run.interrupt();
      await played.turns(1);
      assert.equal(played.of('turn-end')[0].outcome, 'cancelled');
      played.run.send('Shorter');
      await played.turns(2);
      played.run.close();
      await played.end();
      assert.equal(played.of('turn-end')[1].outcome, 'success');
    },
  }),
  () => ({
    name: 'run-interrupt-tool',
    description: 'A turn is broken off while a shell command runs, which ends with it; the conversation goes on.',
    lanes: {
      main: [reply([text('I wait.'), bash(waiting)], usage(164, 40, 494, 0)), says('It was stopped.', 12, 5, 104, 494)],
    },
    async play(stage) {
      const played = await stage.start({ prompt: 'Wait', conversation: true, allow: ['Bash'], expect: good });
      await played.until(() => stage.has('begun'), 'the tool runs');
      assert.equal(played.run.state, 'working');
      await played.run.interrupt();
      await played.turns(1);
      assert.equal(played.call('Bash').end.outcome, 'cancelled');
      assert.equal(played.of('turn-end')[0].outcome, 'cancelled');
      played.run.send('Go on');
      await played.turns(2);
      played.run.close();
      await played.end();
      assert.equal(played.text, 'I wait.It was stopped.');
    },
  }),
  () => ({
    name: 'run-interrupt-waiting',
    description:
      'A turn is broken off while a call waits for a yes: the request is taken back; the conversation goes on.',
    lanes: { main: [does(write('one.txt'), 166, 40, 496, 0), says('Left.', 12, 5, 105, 496)] },
    async play(stage) {
      const played = await stage.start({ prompt: 'Write it', conversation: true, expect: good });
      const { requestId } = await played.asked('Write');
      await played.run.interrupt();
      await played.turns(1);
      assert.deepEqual(played.run.requests, []);
      assert.throws(() => played.run.answer(requestId, { decision: 'allow' }), { code: 'no-such-request' });
      assert.equal(played.of('permission-resolve')[0].decision, 'cancelled');
      played.run.send('Leave it');
      await played.turns(2);
      played.run.close();
      await played.end();
      assert.equal(stage.has('one.txt'), false);
    },
  }),
  () => ({
    name: 'run-compact',
    description: 'The conversation is compacted by a prompt and goes on.',
    lanes: {
      main: [
        reply([text('A long answer about water. '.repeat(40))], usage(4010, 300, 20000, 0)),
        says('Still here.', 61, 5, 510, 100),
      ],
      $compact: [says(summary, 4200, 81, 33, 20000)],
    },
    async play(stage) {
      const played = await stage.start({ prompt: 'Tell me about water', conversation: true, expect: good });
      await played.turns(1);
      played.run.send('/compact');
      await played.turns(2);
      assert.equal(played.of('compaction-end').length, 1);
      assert.equal(played.of('compaction-end')[0].outcome, 'success');
      await played.until(() => played.run.state === 'idle', 'idle');
      played.run.send('Are you still here?');
      await played.turns(3);
      played.run.close();
      await played.end();
    },
  }),
  () => ({
    name: 'run-controls',
    description: 'Model, permission mode and context are asked for between two turns; an unknown mode is refused.',
    lanes: {
      main: [
        says('First.', 165, 4, 495, 0),
        does(tool('Write', { file_path: 'x.txt', content: 'x\n' }), 11, 30, 105, 495),
        says('Second.', 12, 4, 106, 600),
      ],
    },
    async play(stage) {
      const played = await stage.start({ prompt: 'One', conversation: true, expect: good });
      await played.turns(1);
      await played.run.setModel('sonnet');
      await played.run.setPermissionMode('acceptEdits');
      await assert.rejects(played.run.setPermissionMode('no-such-mode'), { code: 'refused' });
      const context = await played.run.contextUsage();
      assert.ok(context.usedTokens > 0 && context.maxTokens > 0 && context.parts.length > 0);
      played.run.send('Two');
      await played.turns(2);
      played.run.close();
      await played.end();
      assert.equal(stage.read('x.txt'), 'x\n');
      assert.deepEqual(played.requests, []);
      assert.ok(stage.api.calls.at(-1).model.includes('sonnet'));
      assert.equal(stage.api.calls[0].model.includes('sonnet'), false);
    },
  }),
];
