// Work beside the conversation: shell commands in the background, and sub-agents.
import assert from 'node:assert/strict';
import { waiting } from '../scenarios/common.mjs';
import { agent, text, tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { processesOf } from '../stage/processes.mjs';
import { bash, does, good, says } from './common.mjs';

const files = { 'a.txt': 'alpha\n' };
const started = () => [
  does(bash(waiting, { run_in_background: true }), 109, 40, 429, 0),
  says('It runs.', 10, 4, 60, 429),
];

/** The machine's time, and for how long somebody waits at the moment. */
function createNotingClock() {
  const timers = new Map();
  return {
    now: () => Date.now(),
    after(milliseconds, act) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        act();
      }, milliseconds);
      timers.set(timer, milliseconds);
      return () => {
        timers.delete(timer);
        clearTimeout(timer);
      };
    },
    get pending() {
      return [...timers.values()];
    },
  };
}

export const background = [
  () => ({
    name: 'run-background',
    description: 'Stdin stays open while a command runs in the background, and the run ends by itself after it.',
    lanes: { main: [...started(), says('It is over.', 10, 5, 61, 489)] },
    async play(stage) {
      const waits = { quiet: 151 };
      const clock = createNotingClock();
      const played = await stage.start({ prompt: 'Run it', allow: ['Bash'], waits, clock, expect: good });
      await played.turns(1);
      await played.until(() => stage.has('begun'), 'the command runs');
      assert.equal(played.run.state, 'working');
      // Nothing is about to close it.
      assert.equal(clock.pending.includes(waits.quiet), false);
      stage.write('go');
      await played.end();
      assert.equal(played.text, 'It runs.It is over.');
      assert.deepEqual(
        played.of('task-end').map(({ outcome }) => outcome),
        ['success'],
      );
    },
  }),
  () => ({
    name: 'run-background-nobody',
    description: 'Stdin is closed from the beginning, and the run still waits for the command in the background.',
    lanes: { main: [...started(), says('It is over.', 10, 5, 61, 489)] },
    async play(stage) {
      const played = await stage.start({ prompt: 'Run it', allow: ['Bash'], asks: false, expect: good });
      await played.turns(1);
      await played.until(() => stage.has('begun'), 'the command runs');
      assert.equal(played.run.state, 'working');
      stage.write('go');
      await played.end();
      assert.equal(played.text, 'It runs.It is over.');
    },
  }),
  () => ({
    name: 'run-background-stopped',
    description: 'The run is stopped while a command runs in the background: that ends as well.',
    lanes: { main: started() },
    async play(stage) {
      const played = await stage.start({ prompt: 'Run it', allow: ['Bash'], expect: { end: 'stopped', bill: false } });
      await played.turns(1);
      await played.until(() => stage.has('begun'), 'the command runs');
      const result = await played.run.stop();
      assert.equal(result.aborted, true);
    },
  }),
  () => ({
    name: 'run-background-kept',
    description: 'A declared command in the background outlives its run, when that is wanted.',
    lanes: { main: started() },
    async play(stage) {
      const played = await stage.start({
        prompt: 'Run it',
        allow: ['Bash'],
        keepBackground: true,
        expect: { left: true, bill: false },
      });
      await played.turns(1);
      await played.until(() => stage.has('begun'), 'the command runs');
      const claude = processesOf(played.run.id).find(({ command }) => command.includes('--input-format=stream-json'));
      process.kill(claude.pid, 'SIGKILL');
      await played.end();
      assert.ok(processesOf(played.run.id).length > 0);
      stage.write('go');
      await stage.until(() => processesOf(played.run.id).length === 0, 'it ends by itself');
    },
  }),
  () => ({
    name: 'run-subagent',
    description: 'A sub-agent in the foreground asks for a permission, which is given.',
    files,
    lanes: {
      main: [
        reply([text('I delegate.'), agent('AGENT-A', 'write it')], usage(510, 71, 1510, 1)),
        says('It is done.', 31, 12, 121, 1511),
      ],
      'AGENT-A': [
        does(tool('Read', { file_path: 'a.txt' }), 211, 43, 811, 3),
        does(tool('Write', { file_path: 'b.txt', content: 'beta\n' }), 12, 44, 63, 814),
        says('Written.', 12, 15, 64, 877),
      ],
    },
    async play(stage) {
      const played = await stage.start({ prompt: 'Delegate', expect: good });
      const request = await played.asked('Write');
      const [task] = played.of('task-start');
      assert.equal(request.subagentId, task.taskId);
      played.run.answer(request.requestId, { decision: 'allow' });
      await played.end();
      assert.equal(stage.read('b.txt'), 'beta\n');
      assert.equal(played.call('Write').start.subagentId, task.taskId);
      assert.equal(played.text, 'I delegate.It is done.');
    },
  }),
  () => ({
    name: 'run-subagent-background',
    description: 'A sub-agent in the background goes on after the turn; the run waits for it.',
    files,
    lanes: {
      main: [
        does(agent('AGENT-A', 'read a.txt', { background: true }), 511, 72, 1511, 1),
        says('It is on its way.', 32, 12, 122, 1512),
        says('It came back.', 33, 12, 123, 1634),
      ],
      'AGENT-A': [does(bash(waiting), 212, 43, 812, 3), says('Done.', 12, 15, 65, 814)],
    },
    async play(stage) {
      const played = await stage.start({ prompt: 'Delegate', allow: ['Bash'], expect: good });
      await played.turns(1);
      await played.until(() => stage.has('begun'), 'the sub-agent works');
      assert.equal(played.run.state, 'working');
      stage.write('go');
      await played.end();
      assert.equal(played.text, 'It is on its way.It came back.');
    },
  }),
];
