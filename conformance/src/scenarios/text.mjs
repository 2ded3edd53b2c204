import { text, thinking, tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { editing, once, partial, shell } from './common.mjs';

export const texts = [
  () => ({
    name: 'plain-text',
    small: true,
    description: 'One answer, text only.',
    covers: ['text'],
    arguments: once('Say good morning'),
    lanes: { main: [reply([text('Good morning. The water is high today.')], usage(41, 17, 903, 12))] },
  }),
  () => ({
    name: 'two-texts',
    description: 'One answer with two text blocks; the result line has the second only.',
    covers: ['text'],
    arguments: once('Say it in two parts'),
    lanes: {
      main: [reply([text('The first part.'), text('The second part.')], usage(44, 23, 0, 915), { fullDelta: true })],
    },
  }),
  () => ({
    name: 'thinking-tool-text',
    small: true,
    description: 'Thinking, a text and a tool call in one answer, then the closing text.',
    covers: ['thinking', 'tool'],
    files: { 'level.txt': 'four\nfive\n' },
    arguments: once('What is the level?'),
    lanes: {
      main: [
        reply(
          [
            thinking('The level is in a file, so I had better read it first.'),
            text('Looking at the file.'),
            tool('Read', { file_path: 'level.txt' }),
          ],
          usage(133, 87, 1210, 0),
          { startOutput: 4 },
        ),
        reply([thinking('Two lines.'), text('The level went from four to five.')], usage(14, 29, 96, 1210), {
          startOutput: 2,
          fullDelta: true,
        }),
      ],
    },
  }),
  () => ({
    name: 'partial-tools',
    small: true,
    description: 'Partial messages with thinking, text and two tool calls.',
    covers: ['partial messages', 'tool'],
    arguments: once('Measure it', partial, ...editing, ...shell),
    lanes: {
      main: [
        reply(
          [
            thinking('First a file, then its size.'),
            text('I write it and count.'),
            tool('Write', { file_path: 'gauge.txt', content: 'low\nhigh\n' }),
          ],
          usage(150, 66, 1300, 5),
        ),
        reply([tool('Bash', { command: 'wc -l < gauge.txt', description: 'Count lines' })], usage(9, 31, 80, 1305), {
          fullDelta: true,
        }),
        reply([text('Two lines are in it.')], usage(8, 11, 44, 1385)),
      ],
    },
  }),
  () => ({
    name: 'parallel-one-error',
    description: 'Four tools in one answer; one fails.',
    covers: ['parallel tools', 'tool error'],
    files: { 'one.txt': '1\n', 'two.txt': '2\n' },
    arguments: once('Read them all', ...shell),
    lanes: {
      main: [
        reply(
          [
            text('All at once.'),
            tool('Read', { file_path: 'one.txt' }),
            tool('Read', { file_path: 'missing.txt' }, { success: false }),
            tool('Bash', { command: 'echo out; echo err >&2; exit 4', description: 'Fail' }, { success: false }),
            tool('Read', { file_path: 'two.txt' }),
          ],
          usage(201, 140, 700, 33),
        ),
        reply([text('Two of four worked.')], usage(17, 9, 310, 733)),
      ],
    },
  }),
  () => ({
    name: 'parallel-partial',
    description: 'Three tools in one answer with partial messages on.',
    covers: ['parallel tools', 'partial messages'],
    files: { 'one.txt': '1\n', 'two.txt': '2\n' },
    arguments: once('Read them all', partial, ...shell),
    lanes: {
      main: [
        reply(
          [
            tool('Read', { file_path: 'one.txt' }),
            tool('Bash', { command: 'cat two.txt', description: 'Show two' }),
            tool('Read', { file_path: 'two.txt' }),
          ],
          usage(77, 90, 640, 0),
        ),
        reply([text('One and two.')], usage(12, 6, 120, 640)),
      ],
    },
  }),
  () => ({
    name: 'empty-texts',
    description:
      'A message with an empty text, one with blanks only and one without any content, before a real answer.',
    covers: ['empty text'],
    arguments: once('Say nothing, then something'),
    lanes: {
      main: [
        reply([text([''])], usage(31, 1, 300, 0)),
        reply([text('Here I am.')], usage(12, 5, 20, 300)),
        reply([text('Here I am.')], usage(12, 5, 20, 300)),
      ],
    },
    expect: { exit: [0, 1] },
  }),
  () => ({
    name: 'empty-text-before-tool',
    description:
      'An empty text block, a text of blanks and a tool call in one answer; then a closing answer with an empty thinking block.',
    covers: ['empty text'],
    files: { 'a.txt': 'a\n' },
    arguments: once('Read a.txt'),
    lanes: {
      main: [
        reply([text(['']), text([' \n ']), tool('Read', { file_path: 'a.txt' })], usage(32, 20, 310, 0)),
        reply([thinking(['']), text('It says a.')], usage(13, 7, 21, 310)),
      ],
    },
  }),
];
