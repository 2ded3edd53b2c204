// Runs that fail, or nearly: the API's errors, retries, limits.
import assert from 'node:assert/strict';
import { text, tool } from '../script/blocks.mjs';
import { always, failure, reply, usage } from '../script/replies.mjs';
import { good, says } from './common.mjs';

const files = { 'a.txt': 'a\n' };
const reading = (...counts) => reply([text('Again.'), tool('Read', { file_path: 'a.txt' })], usage(...counts));

const fails = (name, description, { options, code, says: sentence, ...more }) => ({
  name,
  description,
  ...more,
  async play(stage) {
    const played = await stage.start({ prompt: 'Go on', expect: { outcome: 'error', bill: false }, ...options });
    const result = await played.end();
    assert.equal(result.success, false);
    assert.equal(result.aborted, false);
    assert.equal(played.of('session-end')[0].error?.code, code);
    assert.match(result.error, sentence);
  },
});

export const failures = [
  () =>
    fails('run-api-error', 'The API refuses the key.', {
      environment: { CLAUDE_CODE_MAX_RETRIES: '1' },
      lanes: { main: [always(failure(401, 'invalid x-api-key'))] },
      code: 'authentication',
      says: /API key/,
    }),
  () =>
    fails('run-max-turns', 'The model goes on until its turns are used up.', {
      files,
      lanes: { main: [always(() => reading(23, 11, 61, 301))] },
      options: { maxTurns: 2 },
      code: 'max_turns',
      says: /turns/,
    }),
  () =>
    fails('run-budget', 'The model goes on until the money is spent.', {
      files,
      lanes: { main: [always(() => reading(9000, 3000, 500, 0))] },
      options: { maxBudgetUsd: 0.01 },
      code: 'max_budget',
      says: /budget/i,
    }),
  () => ({
    name: 'run-retries',
    description: 'The API is overloaded twice, then fine.',
    environment: { CLAUDE_CODE_MAX_RETRIES: '4' },
    lanes: { main: [failure(529, 'Overloaded'), failure(529, 'Overloaded'), says('It works now.', 141, 6, 461, 0)] },
    async play(stage) {
      const played = await stage.start({ prompt: 'Say something', expect: good });
      await played.end();
      assert.equal(played.of('retry-start').length, 2);
      assert.equal(played.of('retry-end').at(-1)?.outcome, 'success');
    },
  }),
];
