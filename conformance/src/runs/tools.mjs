// Tools that need nobody's permission, and what the runner tells of them.
import assert from 'node:assert/strict';
import { text, tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';

export const tools = [
  () => ({
    name: 'run-tools',
    description: 'Read, Edit, Write and Bash, one after the other; one prompt, nobody to answer.',
    files: { 'a.txt': 'alpha\n' },
    lanes: {
      main: [
        reply([text('Reading.'), tool('Read', { file_path: 'a.txt' })], usage(101, 21, 301, 0)),
        reply([tool('Edit', { file_path: 'a.txt', old_string: 'alpha', new_string: 'omega' })], usage(11, 22, 31, 301)),
        reply([tool('Write', { file_path: 'b.txt', content: 'beta\n' })], usage(12, 23, 32, 332)),
        reply([tool('Bash', { command: 'cat a.txt b.txt > c.txt', description: 'Join' })], usage(13, 24, 33, 364)),
        reply([text('All is done.')], usage(14, 5, 34, 397)),
      ],
    },
    async play(stage) {
      const played = await stage.start({
        prompt: 'Work with the files',
        permissionMode: 'acceptEdits',
        allow: ['Bash'],
        expect: { outcome: 'success', end: 'exit' },
      });
      const result = await played.end();
      assert.equal(result.success, true);
      assert.equal(result.exitCode, 0);
      assert.equal(stage.read('c.txt'), 'omega\nbeta\n');
      for (const name of ['Read', 'Edit', 'Write', 'Bash']) assert.equal(played.call(name).end?.outcome, 'success');
      assert.equal(played.text, 'Reading.All is done.');
      assert.deepEqual(played.requests, []);
      assert.equal(played.run.sessionIds.onDisk, played.run.sessionIds.reported);
      assert.equal(played.sessions.length, 1);
      assert.ok(played.sessions[0].tools.includes('Bash'));
    },
  }),
];
