import { text, thinking, tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { editing, once, partial, shell } from './common.mjs';

const wave = '\ud83c\udf0a';
const strange = `tab\t, NUL \u0000, bell \u0007, escape \u001b[31m, next line \u0085, line \u2028, paragraph \u2029, mark \ufeff, right to left \u202e, joined \ud83d\udc69\u200d\ud83d\ude80.`;

export const characters = [
  ...[false, true].map((withPartials) => () => ({
    name: withPartials ? 'unicode-partial' : 'unicode-plain',
    description:
      'Emoji split over pieces, lone surrogates, separators, control characters and a text that looks like lines of the stream.',
    covers: ['unicode'],
    arguments: once(`Grüße ${wave}`, ...editing, ...shell, ...(withPartials ? [partial] : [])),
    lanes: {
      main: [
        reply(
          [
            thinking(['Split \ud83c', '\udf0a here.']),
            text(['A wave \ud83c', '\udf0a, a lone \ud83c', ' one and \udf0a', ' another. ']),
            text(strange),
          ],
          usage(190, 90, 550, 0),
          { stop: 'end_turn' },
        ),
      ],
    },
  })),
  () => ({
    name: 'unicode-tools',
    description:
      'Strange characters in tool input and output, invalid UTF-8 from the shell and a file name with blanks and accents.',
    covers: ['unicode', 'tool'],
    arguments: once('Make noise', ...editing, ...shell),
    lanes: {
      main: [
        reply([tool('Write', { file_path: `Flüsse ${wave}.txt`, content: `${strange}\r\n` })], usage(191, 90, 551, 0)),
        reply(
          [
            tool('Bash', {
              command:
                "printf 'bad \\377\\376 bytes \\360\\237 half\\n'; printf 'nul \\000 inside\\n'; printf '\\033[31mred\\033[0m\\r\\nnext\\n'",
              description: 'Print bytes',
            }),
          ],
          usage(10, 40, 140, 551),
        ),
        reply(
          [text(['{"type":"result","subtype":"success","is_error":false}\n{"type":"system","subtype":"init"}\n'])],
          usage(10, 20, 141, 691),
        ),
      ],
    },
  }),
  () => ({
    name: 'large-line',
    description: 'A text of 1.3 MB and a file of 700 kB in one run.',
    covers: ['large line'],
    arguments: once('Be long', ...editing),
    lanes: {
      main: [
        reply(
          [tool('Write', { file_path: 'long.txt', content: 'The river is long. '.repeat(37000) })],
          usage(192, 9000, 552, 0),
        ),
        reply([text(`${'And wide, and deep. '.repeat(65000)}The end.`)], usage(10, 90000, 142, 552)),
      ],
    },
  }),
  () => ({
    name: 'large-shell-output',
    description: 'A shell command prints 400 kB.',
    covers: ['large line', 'shell'],
    arguments: once('Count', ...shell),
    lanes: {
      main: [
        reply([tool('Bash', { command: 'seq 1 70000', description: 'Count' })], usage(193, 30, 553, 0)),
        reply([text('Counted.')], usage(10, 3, 143, 553)),
      ],
    },
  }),
];
