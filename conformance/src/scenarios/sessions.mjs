import { hasBlock } from '../runner/steps.mjs';
import { text, tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { once, shell, waiting } from './common.mjs';

const session = '20000000-0000-4000-8000-000000000001';
const says = (content, ...counts) => ({ main: [reply([text(content)], usage(...counts))] });

export const sessions = [
  () => ({
    name: 'session-chain',
    description: 'A session is begun, resumed, continued and forked; four processes.',
    covers: ['resume', 'continue', 'fork'],
    files: { 'a.txt': 'a\n' },
    invocations: [
      {
        arguments: once('Read it', '--session-id', session),
        lanes: {
          main: [
            reply([tool('Read', { file_path: 'a.txt' })], usage(170, 20, 530, 0)),
            reply([text('It says a.')], usage(10, 5, 120, 530)),
          ],
        },
      },
      { arguments: once('And now?', '-r', session), lanes: says('The same.', 11, 4, 121, 650) },
      { arguments: once('And now?', '-c'), lanes: says('Still the same.', 12, 5, 122, 771) },
      { arguments: once('In a fork?', '-r', session, '--fork-session'), lanes: says('Also there.', 13, 6, 123, 893) },
    ],
  }),
  () => ({
    name: 'session-after-kill',
    description: 'A session is killed while a tool runs, and resumed.',
    covers: ['resume', 'signal'],
    invocations: [
      {
        arguments: once('Wait', '--session-id', session, ...shell),
        steps: [{ when: hasBlock('tool_use') }, { whenFile: 'begun', signal: 'SIGKILL' }],
        lanes: {
          main: [
            reply(
              [text('I wait.'), tool('Bash', { command: waiting, description: 'Wait' }, { success: null })],
              usage(171, 20, 531, 0),
            ),
          ],
        },
        expect: { exit: 'SIGKILL', results: 0 },
      },
      { arguments: once('What happened?', '-r', session), lanes: says('It was cut short.', 14, 6, 124, 531) },
    ],
  }),
  () => ({
    name: 'session-missing',
    small: true,
    description: 'A session that is not there is resumed.',
    covers: ['resume'],
    arguments: once('Hello?', '-r', '20000000-0000-4000-8000-000000000099'),
    expect: { exit: 1, results: 1 },
  }),
  () => ({
    name: 'usage-error',
    small: true,
    description: 'An option that does not exist; stdout stays empty.',
    covers: ['usage error'],
    arguments: once('Hello?', '--no-such-option'),
    expect: { exit: 1, results: 0 },
  }),
  () => ({
    name: 'model-chosen',
    description: 'Another model is chosen on the command line.',
    covers: ['model'],
    arguments: once('Hello', '--model', 'haiku'),
    lanes: says('Hello, quickly.', 14, 4, 524, 0),
  }),
];
