import { isResult, user } from '../runner/steps.mjs';
import { text, tool } from '../script/blocks.mjs';
import { always, failure, reply, usage } from '../script/replies.mjs';
import { listening, once, partial } from './common.mjs';

const few = { CLAUDE_CODE_MAX_RETRIES: '1' };
const fine = () => reply([text('It works now.')], usage(140, 6, 460, 0));
const plain = (status, message, headers) => () => ({
  name: `error-${status}`,
  small: status === 400,
  description: `The API answers ${status} each time.`,
  covers: ['API error'],
  environment: few,
  arguments: once('Say something'),
  lanes: { main: [always(failure(status, message, headers))] },
  expect: { exit: 1 },
});

export const apiErrors = [
  plain(400, 'messages.0.content: this is not valid'),
  plain(401, 'invalid x-api-key'),
  plain(403, 'this key may not use the model'),
  plain(404, 'model: claude-opus-5-5'),
  plain(413, 'the request is too large'),
  plain(429, 'This request would exceed the rate limit', { 'x-should-retry': 'false' }),
  plain(500, 'Internal server error'),
  plain(529, 'Overloaded'),
  () => ({
    name: 'overloaded-retry',
    description: 'Overloaded twice, then fine; with partial messages.',
    covers: ['retry', 'partial messages'],
    environment: { CLAUDE_CODE_MAX_RETRIES: '4' },
    arguments: once('Say something', partial),
    lanes: { main: [failure(529, 'Overloaded'), failure(529, 'Overloaded'), fine()] },
  }),
  () => ({
    name: 'rate-limit-retry',
    description: 'A rate limit with retry-after, then fine.',
    covers: ['retry'],
    arguments: once('Say something'),
    lanes: { main: [failure(429, 'Slow down', { 'retry-after': '1' }), fine()] },
  }),
  () => ({
    name: 'error-after-tool',
    description: 'A tool ran, then the API answers 400.',
    covers: ['API error', 'tool'],
    environment: few,
    files: { 'a.txt': 'a\n' },
    arguments: once('Read it'),
    lanes: {
      main: [
        reply([text('Reading.'), tool('Read', { file_path: 'a.txt' })], usage(141, 20, 461, 0)),
        always(failure(400, 'messages.2: this is not valid')),
      ],
    },
    expect: { exit: 1 },
  }),
  () => ({
    name: 'error-first-turn',
    description: 'The first of two turns over stdin ends in an API error, the second is fine.',
    covers: ['API error', 'turns'],
    environment: few,
    arguments: listening(),
    steps: [{ send: user('One') }, { when: isResult, send: user('Two') }, { when: isResult }],
    lanes: {
      main: [
        (request) => (JSON.stringify(request.messages).includes('Two') ? fine() : failure(401, 'invalid x-api-key')),
      ].map(always),
    },
    expect: { results: 2, exit: [0, 1] },
  }),
  () => ({
    name: 'fallback-overloaded',
    description: 'Overloaded until the program turns to the fallback model.',
    covers: ['retry', 'fallback model'],
    environment: { CLAUDE_CODE_MAX_RETRIES: '4' },
    arguments: once('Say something', '--fallback-model', 'sonnet'),
    lanes: { main: [always((request) => (request.model.includes('sonnet') ? fine() : failure(529, 'Overloaded')))] },
    expect: { exit: [0, 1] },
  }),
];
