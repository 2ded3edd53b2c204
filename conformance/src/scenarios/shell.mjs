import { hasBlock, isSystem } from '../runner/steps.mjs';
import { text, tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { once, shell, waiting } from './common.mjs';

const says = (content) => (line) => hasBlock('text')(line) && line.message.content[0].text === content;

export const shells = [
  () => ({
    name: 'shell-background',
    description: 'A shell command in the background ends after the answer, so the model is asked again.',
    covers: ['background', 'shell'],
    arguments: once('Run it in the background', ...shell),
    steps: [{ when: says('It runs.'), create: 'go' }],
    lanes: {
      main: [
        reply(
          [tool('Bash', { command: waiting, description: 'Wait', run_in_background: true })],
          usage(109, 40, 429, 0),
        ),
        reply([text('It runs.')], usage(10, 4, 60, 429)),
        reply([text('It is over.')], usage(10, 5, 61, 489)),
      ],
    },
    expect: { results: [1, 2] },
  }),
  () => ({
    name: 'shell-background-stopped',
    description: 'A shell command in the background is stopped by the model.',
    covers: ['background', 'shell', 'stop'],
    arguments: once('Run it and stop it', ...shell),
    lanes: {
      main: [
        reply(
          [tool('Bash', { command: waiting, description: 'Wait', run_in_background: true })],
          usage(110, 40, 430, 0),
        ),
        // The identifier of the task is in the answer to the call before.
        (request) =>
          reply(
            [tool('TaskStop', { task_id: /with ID: (\w+)/.exec(JSON.stringify(request.messages))?.[1] ?? 'unknown' })],
            usage(10, 20, 62, 430),
          ),
        reply([text('It is stopped.')], usage(10, 4, 63, 492)),
        reply([text('Yes, it is stopped.')], usage(10, 4, 63, 555)),
      ],
    },
    expect: { results: [1, 2] },
  }),
  () => ({
    name: 'shell-slow',
    description: 'A slow shell command in the foreground is announced as a task.',
    covers: ['shell', 'task'],
    arguments: once('Be slow', ...shell),
    steps: [{ when: isSystem('task_started'), create: 'go' }],
    lanes: {
      main: [
        reply([tool('Bash', { command: waiting, description: 'Wait' })], usage(111, 40, 431, 0)),
        reply([text('That took a while.')], usage(10, 5, 64, 431)),
      ],
    },
  }),
  () => ({
    name: 'shell-timeout',
    description: 'A shell command runs into its own time limit and goes on in the background.',
    covers: ['shell', 'background'],
    arguments: once('Be too slow', ...shell),
    steps: [{ when: says('It takes too long.'), create: 'go' }],
    lanes: {
      main: [
        reply([tool('Bash', { command: waiting, description: 'Too slow', timeout: 1000 })], usage(112, 40, 432, 0)),
        reply([text('It takes too long.')], usage(10, 5, 65, 432)),
        reply([text('It is over now.')], usage(10, 5, 66, 497)),
      ],
    },
    expect: { results: [1, 2] },
  }),
];
