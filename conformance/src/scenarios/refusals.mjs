import { isResult, user } from '../runner/steps.mjs';
import { text, thinking, tool } from '../script/blocks.mjs';
import { always, reply, usage } from '../script/replies.mjs';
import { listening, once, partial } from './common.mjs';

const details = { type: 'refusal', category: 'cyber', explanation: 'This is not something to help with.' };
const refusal = (blocks, options = { stopDetails: details }) =>
  reply(blocks, usage(150, 9, 470, 0), { stop: 'refusal', ...options });
// The program has a model of its own to turn to, whatever --fallback-model says.
const onlyOthers = (blocks) =>
  always((request) =>
    request.model.includes('opus-5')
      ? refusal(blocks)
      : reply([text('The other model answers.')], usage(31, 8, 480, 0)),
  );

const pair = (name, description, make) =>
  [false, true].map((withPartials) => () => ({
    ...make(withPartials ? [partial] : []),
    name: withPartials ? `${name}-partial` : name,
    description: `${description} ${withPartials ? 'With' : 'Without'} partial messages.`,
  }));

export const refusals = [
  ...pair('refusal', 'The model refuses after some text, and there is no other model.', (flags) => ({
    covers: ['refusal'],
    arguments: once('Do harm', ...flags),
    lanes: { main: [always(() => refusal([text('I was about to ')]))] },
    expect: { exit: [0, 1] },
  })),
  () => ({
    name: 'refusal-empty',
    description: 'The model refuses without a word and without a reason.',
    covers: ['refusal'],
    arguments: once('Do harm'),
    lanes: { main: [always(() => refusal([], {}))] },
    expect: { exit: [0, 1] },
  }),
  ...pair('refusal-fallback', 'The model refuses after some text, and another model answers.', (flags) => ({
    covers: ['refusal', 'fallback model'],
    arguments: once('Do harm', '--fallback-model', 'sonnet', ...flags),
    lanes: { main: [onlyOthers([thinking('Hm.'), text('I was about to ')])] },
  })),
  ...pair('refusal-continued', 'The model refuses once, is told so, and then answers.', (flags) => ({
    covers: ['refusal'],
    arguments: once('Do harm', ...flags),
    lanes: {
      main: [refusal([text('I was about to ')]), reply([text('Better something else.')], usage(32, 8, 60, 470))],
    },
  })),
  ...pair('refusal-with-tool', 'The model refuses after a whole tool call.', (flags) => ({
    covers: ['refusal', 'tool'],
    files: { 'a.txt': 'a\n' },
    arguments: once('Read it', ...flags),
    lanes: {
      main: [
        refusal([tool('Read', { file_path: 'a.txt' }, { success: false }), text('And now ')]),
        reply([text('Better something else.')], usage(33, 8, 61, 470)),
        reply([text('Better something else.')], usage(34, 8, 62, 470)),
      ],
    },
    expect: { exit: [0, 1] },
  })),
  () => ({
    name: 'refusal-after-tool',
    description: 'The model refuses in the answer after a tool call.',
    covers: ['refusal', 'tool'],
    files: { 'a.txt': 'a\n' },
    arguments: once('Read it'),
    lanes: {
      main: [
        reply([tool('Read', { file_path: 'a.txt' })], usage(151, 20, 471, 0)),
        always(() => refusal([text('Now I ')])),
      ],
    },
    expect: { exit: [0, 1] },
  }),
  () => ({
    name: 'refusal-first-turn',
    description: 'The first of two turns is refused.',
    covers: ['refusal', 'turns'],
    arguments: listening('--replay-user-messages'),
    steps: [
      { send: user('Do harm', { uuid: '10000000-0000-4000-8000-000000000021' }) },
      { when: isResult, send: user('Do good', { uuid: '10000000-0000-4000-8000-000000000022' }) },
      { when: isResult },
    ],
    lanes: {
      main: [
        always((request) =>
          JSON.stringify(request.messages.at(-1)).includes('good') ||
          JSON.stringify(request.messages).includes('Do good')
            ? reply([text('Gladly.')], usage(12, 3, 40, 470))
            : refusal([text('I was ')]),
        ),
      ],
    },
    expect: { results: 2, exit: [0, 1] },
  }),
];
