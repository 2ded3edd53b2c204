import { atGate, hasBlock } from '../runner/steps.mjs';
import { text, thinking, tool } from '../script/blocks.mjs';
import { cut, finish, gate, rawEvent } from '../script/marks.mjs';
import { hangUp, reply, usage } from '../script/replies.mjs';
import { once, partial } from './common.mjs';

// The program drops what it has not read when the connection breaks. So the stream breaks only after a line shows how far it got.
const shown = gate('shown');
const streamed = (piece) => (line) =>
  line.type === 'stream_event' && (line.event.delta?.text ?? line.event.delta?.partial_json ?? '').includes(piece);

const cutText = (where = shown) =>
  reply(
    [thinking('A bit.'), text(['The first words ', 'are here ', where, cut(), 'and these never come'])],
    usage(61, 77, 350, 9),
  );
const wholeText = () => reply([text('The whole text, at last.')], usage(62, 12, 351, 9));
const overload = () => rawEvent({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });

/** Each case once without and once with partial messages; `visible` tells what shows that the stream came far enough. */
const cases = (name, description, script, visible, expect = {}, more = []) =>
  [false, true].map((withPartials) => () => ({
    name: withPartials ? `${name}-partial` : name,
    description: `${description} ${withPartials ? 'With' : 'Without'} partial messages.`,
    covers: ['cut stream', ...(withPartials ? ['partial messages'] : [])],
    small: name === 'cut-text',
    environment: { CLAUDE_CODE_MAX_RETRIES: '3' },
    files: { 'a.txt': 'a\n' },
    arguments: once('Tell me', ...(withPartials ? [partial] : [])),
    steps: visible ? ['shown', ...more].map((open) => ({ ...visible[Number(withPartials)], open })) : [],
    lanes: { main: script() },
    expect,
  }));

export const brokenStreams = [
  ...cases(
    'cut-text',
    'The stream breaks in the middle of a text block, after a whole thinking block; the next request is answered.',
    () => [cutText(), wholeText()],
    [{ when: hasBlock('thinking') }, { when: streamed('are here') }],
  ),
  // Without partial messages nothing shows how much of an only block arrived.
  ...cases(
    'cut-only-text',
    'The stream breaks in the middle of the first and only block.',
    () => [reply([text(['Only ', 'half ', shown, cut(), 'never'])], usage(71, 50, 358, 9)), wholeText()],
    [{ whenServer: atGate('shown') }, { when: streamed('half') }],
  ),
  ...cases(
    'cut-text-twice',
    'The stream breaks twice in the middle of a text block.',
    () => [cutText(), cutText(gate('shown again')), wholeText(), wholeText()],
    [{ when: hasBlock('thinking') }, { when: streamed('are here') }],
    { exit: [0, 1] },
    ['shown again'],
  ),
  ...cases(
    'cut-second-text',
    'The stream breaks in the second of two text blocks.',
    () => [
      reply([text('A whole one. '), text(['Half of ', 'another ', shown, cut(), 'one'])], usage(68, 70, 356, 9)),
      reply([text('one. That is all.')], usage(69, 9, 356, 9)),
    ],
    [{ when: hasBlock('text') }, { when: streamed('another') }],
  ),
  ...cases(
    'cut-after-tool',
    'The stream breaks after a whole tool call, before the message ends.',
    () => [
      reply([text('I read it.'), tool('Read', { file_path: 'a.txt' }), shown, cut()], usage(63, 80, 352, 9)),
      reply([text('It says a.')], usage(11, 6, 30, 352)),
      reply([text('It says a.')], usage(11, 6, 30, 352)),
    ],
    [{ when: hasBlock('tool_use') }, { when: hasBlock('tool_use') }],
    { exit: [0, 1] },
  ),
  ...cases(
    'cut-text-after-tool',
    'The stream breaks in a text after a whole tool call.',
    () => [
      reply(
        [tool('Read', { file_path: 'a.txt' }), text(['I asked ', 'for it ', shown, cut(), 'above.'])],
        usage(70, 80, 357, 9),
      ),
      reply([text('It says a.')], usage(11, 6, 30, 357)),
      reply([text('It says a.')], usage(11, 6, 30, 357)),
    ],
    [{ when: hasBlock('tool_use') }, { when: streamed('for it') }],
    { exit: [0, 1] },
  ),
  ...cases(
    'cut-in-tool-input',
    'The stream breaks in the middle of the input of a tool call.',
    () => [
      reply(
        [
          text('I read it.'),
          tool(
            'Read',
            { file_path: 'a.txt' },
            { success: null, pieces: ['{"file_', 'path', shown, cut(), '":"a.txt"}'] },
          ),
        ],
        usage(64, 80, 353, 9),
      ),
      reply([tool('Read', { file_path: 'a.txt' })], usage(65, 20, 353, 9)),
      reply([text('It says a.')], usage(11, 6, 30, 353)),
    ],
    [{ when: hasBlock('text') }, { when: streamed('path') }],
  ),
  ...cases('cut-at-start', 'The stream breaks right after the start of the message.', () => [
    reply([cut(), text('never')], usage(66, 80, 354, 9)),
    wholeText(),
  ]),
  ...cases(
    'end-early',
    'The response ends in an orderly way in the middle of a text block.',
    () => [
      reply([text(['Only ', 'half ', shown, finish(), 'never'])], usage(72, 50, 359, 9)),
      wholeText(),
      wholeText(),
    ],
    [{ whenServer: atGate('shown') }, { when: streamed('half') }],
  ),
  ...cases('end-at-start', 'The response ends in an orderly way after the start of the message.', () => [
    reply([finish(), text('never')], usage(73, 50, 360, 9)),
    wholeText(),
    wholeText(),
  ]),
  ...cases(
    'end-before-message',
    'All blocks are whole, but the message never ends.',
    () => [reply([text('Whole, in a way.'), shown, finish()], usage(74, 50, 361, 9)), wholeText(), wholeText()],
    [{ when: hasBlock('text') }, { when: hasBlock('text') }],
  ),
  ...cases('hang-up', 'The connection closes without any answer.', () => [hangUp(), wholeText()]),
  ...cases(
    'error-in-stream',
    'The API sends an error event in the middle of a text block.',
    () => [
      reply([thinking('A bit.'), text(['Half ', 'of ', shown, overload(), cut(), 'it'])], usage(67, 80, 355, 9)),
      wholeText(),
    ],
    [{ when: hasBlock('thinking') }, { when: streamed('of ') }],
  ),
];
