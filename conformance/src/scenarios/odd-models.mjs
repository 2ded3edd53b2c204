// Things a model may send that a reader does not expect.
import { text, thinking, tool, whole } from '../script/blocks.mjs';
import { rawEvent } from '../script/marks.mjs';
import { always, reply, usage } from '../script/replies.mjs';
import { once, partial, shell } from './common.mjs';

const repeated = 'toolu_01TheVeryIdentifierTwice';
const files = { 'a.txt': 'alpha\n', 'b.txt': 'beta\n' };
export const oddModels = [
  () => ({
    name: 'duplicate-tool-ids',
    description: 'The model uses one tool id again in a later answer.',
    covers: ['duplicate ids'],
    files,
    arguments: once('Read both'),
    lanes: {
      main: [
        reply([tool('Read', { file_path: 'a.txt' }, { id: repeated })], usage(55, 30, 340, 0)),
        reply([tool('Read', { file_path: 'b.txt' }, { id: repeated })], usage(10, 30, 60, 340)),
        reply([text('alpha and beta.')], usage(11, 8, 61, 400)),
      ],
    },
  }),
  () => ({
    name: 'duplicate-tool-ids-partial',
    description: 'The model uses one tool id again in a later answer; the second call fails. Partial messages are on.',
    covers: ['duplicate ids', 'partial messages', 'tool error'],
    files,
    arguments: once('Read both', partial),
    lanes: {
      main: [
        reply([tool('Read', { file_path: 'a.txt' }, { id: repeated })], usage(56, 30, 341, 0)),
        reply([tool('Read', { file_path: 'gone.txt' }, { id: repeated, success: false })], usage(10, 30, 60, 341)),
        reply([text('alpha only.')], usage(11, 8, 61, 401)),
      ],
    },
  }),
  () => ({
    name: 'duplicate-tool-ids-one-message',
    description: 'The model uses one tool id twice in one answer.',
    covers: ['duplicate ids', 'parallel tools'],
    files,
    arguments: once('Read both'),
    lanes: {
      main: [
        reply(
          [
            tool('Read', { file_path: 'a.txt' }, { id: repeated }),
            tool('Read', { file_path: 'b.txt' }, { id: repeated }),
          ],
          usage(57, 60, 342, 0),
        ),
        reply([text('alpha and beta.')], usage(11, 8, 62, 342)),
      ],
    },
    expect: { exit: [0, 1] },
  }),
  ...[[], [partial]].map((flags) => () => ({
    name: flags.length ? 'unknown-block-partial' : 'unknown-block',
    description: 'A block of a type that nobody knows, between two texts.',
    covers: ['unknown block'],
    arguments: once('Surprise me', ...flags),
    lanes: {
      main: [
        reply(
          [text('Before.'), whole({ type: 'hologram', shape: 'wheel', layers: [1, 2, 3] }), text('After.')],
          usage(58, 20, 343, 0),
        ),
      ],
    },
  })),
  () => ({
    name: 'redacted-thinking',
    description: 'Redacted thinking and two thinking blocks around a tool call.',
    covers: ['thinking'],
    files,
    arguments: once('Think', partial),
    lanes: {
      main: [
        reply(
          [
            whole({ type: 'redacted_thinking', data: 'cmVkYWN0ZWQ=' }),
            thinking('One.'),
            text('Well.'),
            thinking('Two.'),
            tool('Read', { file_path: 'a.txt' }),
          ],
          usage(59, 90, 344, 0),
        ),
        reply([text('alpha.')], usage(11, 3, 63, 344)),
      ],
    },
  }),
  () => ({
    name: 'broken-tool-input',
    description:
      'The input of a tool call is not JSON; then one lacks a required field; then one names a tool that is not there.',
    covers: ['tool error'],
    files,
    arguments: once('Read it', ...shell),
    lanes: {
      main: [
        reply([tool('Read', {}, { pieces: ['{"file_path": "a.t'], success: false })], usage(60, 20, 345, 0)),
        reply([tool('Read', { limit: 3 }, { success: false })], usage(12, 20, 64, 345)),
        reply([tool('Teleport', { where: 'home' }, { success: false })], usage(12, 20, 65, 409)),
        reply([tool('Read', { file_path: 'a.txt' })], usage(12, 20, 66, 474)),
        reply([text('alpha, at the fourth try.')], usage(12, 9, 67, 540)),
      ],
    },
  }),
  () => ({
    name: 'pings',
    description: 'Ping events in the stream.',
    covers: ['ping', 'partial messages'],
    arguments: once('Slowly', partial),
    lanes: {
      main: [
        reply(
          [
            rawEvent({ type: 'ping' }),
            text(['Slow', rawEvent({ type: 'ping' }), 'ly ', rawEvent({ type: 'ping' }), 'done.']),
          ],
          usage(61, 8, 346, 0),
        ),
      ],
    },
  }),
  () => ({
    name: 'text-after-tool',
    description: 'A text after a tool call in the same answer.',
    covers: ['tool'],
    files,
    arguments: once('Read it'),
    lanes: {
      main: [
        reply([tool('Read', { file_path: 'a.txt' }), text('I asked for it above.')], usage(62, 33, 347, 0)),
        reply([text('alpha.')], usage(12, 3, 68, 347)),
      ],
    },
  }),
  ...['stop_sequence', 'pause_turn', 'model_context_window_exceeded'].map((stop) => () => ({
    name: `stop-${stop.replaceAll('_', '-')}`,
    description: `The answer ends with ${stop}.`,
    covers: ['stop reason'],
    arguments: once('Stop somehow', partial),
    lanes: {
      main: [
        reply([text('This far.')], usage(63, 5, 348, 0), { stop }),
        always(() => reply([text('And further.')], usage(13, 5, 70, 348))),
      ],
      $compact: [reply([text('<summary>\nNothing much.\n</summary>')], usage(14, 8, 0, 348))],
    },
    expect: { exit: [0, 1] },
  })),
  () => ({
    name: 'many-tools',
    description: 'Twelve calls in one answer, three of them failing.',
    covers: ['parallel tools', 'tool error'],
    files: Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${index}.txt`, `${index}\n`])),
    arguments: once('Read them all'),
    lanes: {
      main: [
        reply(
          Array.from({ length: 12 }, (_, index) => tool('Read', { file_path: `${index}.txt` }, { success: index < 9 })),
          usage(66, 400, 351, 0),
        ),
        reply([text('Nine of twelve.')], usage(14, 6, 900, 351)),
      ],
    },
  }),
  () => ({
    name: 'many-rounds',
    description: 'Thirty rounds of a text and a tool call.',
    covers: ['tool'],
    files,
    arguments: once('Read it thirty times', partial),
    lanes: {
      main: [
        ...Array.from({ length: 30 }, (_, index) =>
          reply(
            [text(`Round ${index + 1}.`), tool('Read', { file_path: index % 2 ? 'a.txt' : 'b.txt' })],
            usage(20 + index, 30, 40, 352 + 40 * index),
            { fullDelta: index % 3 === 0 },
          ),
        ),
        reply([text('Thirty times.')], usage(15, 5, 41, 1552)),
      ],
    },
  }),
];
