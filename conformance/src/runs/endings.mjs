// The end that comes from outside: signals, stopping, killing, and what is left of the tools then.
import assert from 'node:assert/strict';
import { held } from '../runner/steps.mjs';
import { waiting } from '../scenarios/common.mjs';
import { text } from '../script/blocks.mjs';
import { hold } from '../script/marks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { processesOf } from '../stage/processes.mjs';
import { bash, does, good, says, write } from './common.mjs';

// It says that it runs, hears no signal that can be refused, and ends by itself after half a minute.
const stubborn = 'trap "" TERM INT HUP; touch begun; for n in $(seq 300); do sleep 0.1; done';
const endless = () => reply([text(['This will ', 'never end', hold(), 'never sent'])], usage(181, 50, 541, 0));
const agentOf = ({ run }) =>
  processesOf(run.id).find(({ command }) => command.includes('--input-format=stream-json')).pid;

const signalled = (signal, sure) => () => ({
  name: `run-${signal.toLowerCase()}`,
  description: `Somebody sends ${signal} to the agent while a tool runs.`,
  lanes: { main: [reply([text('I wait.'), bash(waiting)], usage(180, 40, 540, 0))] },
  async play(stage) {
    const played = await stage.start({ prompt: 'Wait', allow: ['Bash'], expect: { bill: false } });
    await played.until(() => stage.has('begun'), 'the tool runs');
    process.kill(agentOf(played), signal);
    const result = await played.end();
    assert.equal(result.success, false);
    assert.equal(result.aborted, true);
    sure(result);
  },
});

export const endings = [
  signalled('SIGINT', ({ outcome }) => assert.equal(outcome, 'cancelled')),
  signalled('SIGTERM', ({ outcome, exitCode, signal }) => {
    assert.equal(outcome, 'cancelled');
    assert.ok(exitCode === 143 || signal === 'SIGTERM');
  }),
  signalled('SIGKILL', ({ end, outcome, signal }) => {
    assert.equal(end, 'signal');
    assert.equal(outcome, 'cancelled');
    assert.equal(signal, 'SIGKILL');
  }),
  () => ({
    name: 'run-stop-text',
    description: 'The run is stopped in the middle of a text.',
    lanes: { main: [endless()] },
    async play(stage) {
      const played = await stage.start({ prompt: 'Go on', expect: { end: 'stopped', outcome: 'cancelled' } });
      await stage.moment(held());
      await played.until(() => played.text.includes('never end'), 'the text');
      const result = await played.run.stop();
      assert.equal(result.aborted, true);
      assert.equal(result.success, false);
      // The interrupt alone was enough.
      assert.equal(result.exitCode !== undefined && result.signal === undefined, true);
    },
  }),
  () => ({
    name: 'run-stop-waiting',
    description: 'The run is stopped while a call waits for a yes: nobody gave one, and nothing happens.',
    lanes: { main: [does(write('one.txt'), 185, 40, 545, 0)] },
    async play(stage) {
      const played = await stage.start({ prompt: 'Write it', expect: { end: 'stopped', outcome: 'cancelled' } });
      await played.asked('Write');
      await played.run.stop();
      assert.equal(stage.has('one.txt'), false);
      assert.equal(played.of('permission-resolve')[0].decision, 'cancelled');
    },
  }),
  () => ({
    name: 'run-stop-stubborn',
    description: 'The run is stopped while a tool runs that hears no signal: nothing of it is left.',
    lanes: { main: [does(bash(stubborn), 182, 40, 542, 0)] },
    async play(stage) {
      const played = await stage.start({
        prompt: 'Be stubborn',
        allow: ['Bash'],
        waits: { terminate: 500, kill: 500 },
        expect: { end: 'stopped', outcome: 'cancelled', bill: false },
      });
      await played.until(() => stage.has('begun'), 'the tool runs');
      assert.ok(processesOf(played.run.id).length > 1);
      await played.run.stop();
      assert.deepEqual(processesOf(played.run.id), []);
      assert.equal(played.call('Bash').end.outcome, 'cancelled');
    },
  }),
  () => ({
    name: 'run-kill',
    description: 'The run is ended at once while a tool runs.',
    lanes: { main: [does(bash(stubborn), 183, 40, 543, 0)] },
    async play(stage) {
      const played = await stage.start({
        prompt: 'Be stubborn',
        allow: ['Bash'],
        expect: { end: 'stopped', outcome: 'cancelled', bill: false },
      });
      await played.until(() => stage.has('begun'), 'the tool runs');
      await played.run.kill();
      assert.deepEqual(processesOf(played.run.id), []);
    },
  }),
  () => ({
    name: 'run-orphan',
    description: 'A tool leaves a process of a session of its own behind, which holds the pipes: it ends with the run.',
    lanes: {
      main: [does(bash('setsid sleep 120 & echo left'), 184, 40, 544, 0), says('Left one behind.', 11, 5, 131, 544)],
    },
    async play(stage) {
      const played = await stage.start({ prompt: 'Leave one', allow: ['Bash'], expect: good });
      await played.turns(1);
      assert.ok(processesOf(played.run.id).some(({ command }) => command === 'sleep 120'));
      await played.end();
      assert.deepEqual(processesOf(played.run.id), []);
    },
  }),
];
