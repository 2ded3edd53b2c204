// What the sessions of the demo share: they are called as the runner calls the program, and the model takes its time.
import { user } from '../runner/steps.mjs';
import { tool } from '../script/blocks.mjs';
import { reply } from '../script/replies.mjs';

const usualPace = { first: 2200, each: 85 };

/** An answer at the speed of a model, so that the lines carry times worth watching. */
export const say = (items, served, pace = usualPace) => ({ ...reply(items, served), pace });

/** The runner's own arguments (see packages/core/src/agents/claude/command.ts), with the tools that are wanted. */
export const started = (tools, mode = 'default') => [
  '--print',
  '--input-format=stream-json',
  '--output-format=stream-json',
  '--verbose',
  '--replay-user-messages',
  '--include-partial-messages',
  '--permission-prompt-tool=stdio',
  `--permission-mode=${mode}`,
  `--tools=${tools}`,
];

export const prompt = (text) => user(text, { uuid: '10000000-0000-4000-8000-00000000d001' });

export const plan = (subject, activeForm) => tool('TaskCreate', { subject, description: subject, activeForm });
export const mark = (taskId, status) => tool('TaskUpdate', { taskId, status });

/**
 * The step that answers the first request for a tool, when the message that asked is complete: what is printed up to there is the
 * same whatever the answer is.
 */
export function answering(name, answer) {
  let asked;
  let isComplete = false;
  const isReady = (line) => {
    if (line.type === 'control_request' && line.request.tool_name === name) asked = line;
    if (line.type === 'stream_event' && line.event.type === 'content_block_start') isComplete = false;
    if (line.type === 'stream_event' && line.event.type === 'message_stop') isComplete = true;
    return asked !== undefined && isComplete;
  };
  return { when: isReady, send: () => answer(asked) };
}

// No word from npm but what was asked for.
export const quietNpm = { NPM_CONFIG_UPDATE_NOTIFIER: 'false', NPM_CONFIG_FUND: 'false', NO_COLOR: '1' };

export const timeLimit = 240_000;
