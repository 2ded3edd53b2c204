import { hasBlock, held, isInit, isResult, isTextDelta, requested, user } from '../runner/steps.mjs';
import { text, tool } from '../script/blocks.mjs';
import { gate, hold } from '../script/marks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { editing, listening, once, partial, shell, waiting } from './common.mjs';

const endless = () => text(['This will ', 'never come ', hold(), 'to an end']);
const whileStreaming = [
  { when: (line) => isTextDelta(line) && line.event.delta.text === 'never come ' },
  { whenServer: held() },
];
const running = () => [
  reply(
    [text('I wait.'), tool('Bash', { command: waiting, description: 'Wait' }, { success: null })],
    usage(180, 40, 540, 0),
  ),
];

const inTool = (signal, exit, results) => () => ({
  name: `${signal.toLowerCase()}-tool`,
  description: `${signal} while a tool runs.`,
  covers: ['signal', 'tool'],
  arguments: once('Wait', ...shell),
  steps: [{ when: hasBlock('tool_use') }, { whenFile: 'begun', signal }],
  lanes: { main: running() },
  expect: { exit, results },
});

const inStream = (signal, exit, results) => () => ({
  name: `${signal.toLowerCase()}-stream`,
  small: signal === 'SIGTERM',
  description: `${signal} in the middle of a text, after a tool.`,
  covers: ['signal', 'partial messages'],
  files: { 'a.txt': 'a\n' },
  arguments: once('Go on', partial),
  steps: [...whileStreaming, { signal }],
  lanes: {
    main: [
      reply([tool('Read', { file_path: 'a.txt' })], usage(181, 20, 541, 0)),
      reply([endless()], usage(10, 50, 130, 541)),
    ],
  },
  expect: { exit, results },
});

const inSecondTurn = (signal, exit, results) => () => ({
  name: `${signal.toLowerCase()}-second-turn`,
  description: `${signal} in the middle of a text of the second turn over stdin.`,
  covers: ['signal', 'turns', 'partial messages'],
  arguments: listening(partial),
  steps: [
    { send: user('One') },
    { when: isResult, send: user('Two') },
    ...whileStreaming,
    { signal },
    { when: () => false, optional: true },
  ],
  lanes: { main: [reply([text('First answer.')], usage(182, 4, 542, 0)), reply([endless()], usage(11, 50, 131, 542))] },
  expect: { exit, results },
});

const kinds = [
  ['SIGINT', [0, 1, 130], [0, 1, 2]],
  ['SIGTERM', 143, [0, 1]],
  ['SIGKILL', 'SIGKILL', [0, 1]],
];

export const signals = [
  ...kinds.flatMap(([signal, exit, results]) => [
    inTool(signal, exit, results),
    inStream(signal, exit, results),
    inSecondTurn(signal, exit, results),
  ]),
  () => ({
    name: 'sigkill-cut-line',
    description: 'SIGKILL while a long line waits for a slow reader, so the last line is cut.',
    covers: ['signal', 'cut line'],
    arguments: once('Write it', ...editing),
    // From the first line on nobody reads, so the pipe fills up and the long line gets stuck in it.
    steps: [
      { when: isInit, pause: true, open: 'reader' },
      { whenServer: requested(2), signal: 'SIGKILL' },
      { resume: true },
    ],
    lanes: {
      main: [
        reply(
          [
            gate('reader'),
            text('Writing.'),
            tool('Write', { file_path: 'long.txt', content: 'Größe 🌊 '.repeat(30000) }, { success: null }),
          ],
          usage(183, 60000, 543, 0),
        ),
        reply([text('never read')], usage(12, 3, 132, 543)),
      ],
    },
    expect: { exit: 'SIGKILL', results: 0 },
  }),
];
