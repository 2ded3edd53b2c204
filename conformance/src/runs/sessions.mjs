// Sessions that are named, resumed and forked.
import assert from 'node:assert/strict';
import { good, says } from './common.mjs';

const session = '20000000-0000-4000-8000-000000000011';

export const sessions = [
  () => ({
    name: 'run-sessions',
    description: 'A session gets the id that was asked for, is resumed, and forked.',
    lanes: { main: [says('One.', 171, 4, 531, 0), says('Two.', 11, 4, 121, 531), says('Three.', 11, 4, 122, 652)] },
    async play(stage) {
      const first = await stage.start({ prompt: 'One', sessionId: session, expect: good });
      await first.end();
      assert.deepEqual(first.run.sessionIds, { asked: session, reported: session, onDisk: session });
      const second = await stage.start({ prompt: 'Two', resume: session, expect: good });
      const result = await second.end();
      assert.deepEqual(second.run.sessionIds, { asked: session, reported: session, onDisk: session });
      assert.equal(result.usage.outputTokens, 4);
      const third = await stage.start({ prompt: 'Three', resume: session, fork: true, expect: good });
      await third.end();
      const { asked, reported, onDisk } = third.run.sessionIds;
      assert.equal(asked, session);
      assert.notEqual(reported, session);
      assert.equal(onDisk, reported);
      assert.equal(third.text, 'Three.');
      assert.equal(third.of('session-start')[0].sessionId, reported);
    },
  }),
  () => ({
    name: 'run-session-missing',
    description: 'A session that is not there is resumed: the run fails and says why.',
    async play(stage) {
      const played = await stage.start({ prompt: 'Hello?', resume: '20000000-0000-4000-8000-000000000099' });
      const result = await played.end();
      assert.equal(result.success, false);
      assert.equal(result.outcome, 'error');
      assert.ok(result.error.includes('No conversation found'), result.error);
      assert.equal(played.run.sessionIds.onDisk, undefined);
    },
  }),
];
