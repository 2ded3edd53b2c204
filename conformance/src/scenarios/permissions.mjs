import { allow, answers, asksFor, control, deny, initialize, isResult, user } from '../runner/steps.mjs';
import { agent, text, tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { asking, listening, once } from './common.mjs';

const write = (name, options) => tool('Write', { file_path: name, content: `${name}\n` }, options);
const opening = (prompt) => [{ send: initialize() }, { when: answers('host-initialize') }, { send: user(prompt) }];

export const permissions = [
  () => ({
    name: 'permission-allow',
    small: true,
    description: 'The host allows a Write over stdio.',
    covers: ['permission'],
    arguments: listening(...asking),
    steps: [...opening('Write it'), { when: asksFor('Write'), send: allow() }, { when: isResult }],
    lanes: {
      main: [reply([write('one.txt')], usage(90, 30, 410, 0)), reply([text('Written.')], usage(9, 4, 40, 410))],
    },
  }),
  () => ({
    name: 'permission-allow-changed',
    description: 'The host allows a Write with another content than the model asked for.',
    covers: ['permission', 'updatedInput'],
    arguments: listening(...asking),
    steps: [
      ...opening('Write it'),
      { when: asksFor('Write'), send: allow({ content: 'changed by the host\n' }) },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply([write('one.txt')], usage(91, 30, 411, 0)),
        reply([text('Written, with a change.')], usage(9, 6, 41, 411)),
      ],
    },
  }),
  () => ({
    name: 'permission-deny',
    description: 'The host denies a Write and allows a Bash call in the next answer.',
    covers: ['permission', 'denial'],
    arguments: listening(...asking),
    steps: [
      ...opening('Write it'),
      { when: asksFor('Write'), send: deny('Not into this folder.') },
      { when: asksFor('Bash'), send: allow() },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply([write('one.txt', { success: false })], usage(92, 30, 412, 0)),
        reply([tool('Bash', { command: 'touch elsewhere', description: 'Make a file' })], usage(9, 20, 42, 412)),
        reply([text('Made it another way.')], usage(9, 6, 42, 454)),
      ],
    },
  }),
  () => ({
    name: 'permission-deny-interrupt',
    description: 'The host denies with interrupt, which ends the turn; a second turn works.',
    covers: ['permission', 'denial', 'interrupt'],
    arguments: listening(...asking),
    steps: [
      ...opening('Write it'),
      { when: asksFor('Write'), send: deny('Stop here.', { interrupt: true }) },
      { when: isResult },
      { send: user('And now?') },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply([text('I write.'), write('one.txt', { success: false })], usage(93, 30, 413, 0)),
        reply([text('Nothing was written.')], usage(9, 6, 43, 413)),
      ],
    },
    expect: { results: 2 },
  }),
  () => ({
    name: 'permission-deny-interrupt-last',
    description: 'The host denies with interrupt and closes stdin.',
    covers: ['permission', 'denial', 'interrupt'],
    arguments: listening(...asking),
    steps: [
      ...opening('Write it'),
      { when: asksFor('Write'), send: deny('Stop here.', { interrupt: true }) },
      { when: isResult },
    ],
    lanes: { main: [reply([text('I write.'), write('one.txt', { success: false })], usage(94, 30, 414, 0))] },
    expect: { exit: [0, 1] },
  }),
  () => ({
    name: 'permission-two-one-denied-interrupt',
    description: 'Two calls ask at once; the first is allowed, the second denied with interrupt.',
    covers: ['permission', 'denial', 'interrupt', 'parallel tools'],
    arguments: listening(...asking),
    steps: [
      ...opening('Write both'),
      { when: asksFor('Write'), send: allow() },
      { when: asksFor('Write'), send: deny('No.', { interrupt: true }) },
      { when: isResult },
    ],
    lanes: { main: [reply([write('one.txt'), write('two.txt', { success: false })], usage(95, 60, 415, 0))] },
    expect: { exit: [0, 1] },
  }),
  () => ({
    name: 'interrupt-two-pending',
    small: true,
    description: 'Two permission requests wait for an answer when the host interrupts; a second turn works.',
    covers: ['permission', 'interrupt', 'parallel tools'],
    homeFiles: { 'outside/one.txt': 'one\n', 'outside/two.txt': 'two\n' },
    arguments: listening(...asking),
    steps: [
      ...opening('Read both'),
      { when: asksFor('Read') },
      { when: asksFor('Read'), send: control('host-interrupt', 'interrupt') },
      { when: isResult },
      { send: user('Leave it then') },
      { when: isResult },
    ],
    lanes: {
      main: [
        // Only calls that may run side by side ask side by side; edits and shell commands wait for each other.
        reply(
          [
            text('Both now.'),
            tool('Read', { file_path: '../outside/one.txt' }, { success: false }),
            tool('Read', { file_path: '../outside/two.txt' }, { success: false }),
          ],
          usage(96, 61, 416, 0),
        ),
        reply([text('Left.')], usage(9, 3, 46, 416)),
      ],
    },
    expect: { results: 2 },
  }),
  () => ({
    name: 'interrupt-two-agents-pending',
    description: 'Two sub-agents wait for a permission when the host interrupts.',
    covers: ['permission', 'interrupt', 'subagent'],
    arguments: listening(...asking),
    steps: [
      ...opening('Delegate both'),
      { when: asksFor('Write') },
      { when: asksFor('Write'), send: control('host-interrupt', 'interrupt') },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply(
          [agent('AGENT-A', 'write one', { success: false }), agent('AGENT-B', 'write two', { success: false })],
          usage(197, 61, 517, 0),
        ),
      ],
      'AGENT-A': [reply([write('one.txt', { success: null })], usage(98, 21, 300, 0))],
      'AGENT-B': [reply([write('two.txt', { success: null })], usage(99, 22, 301, 0))],
    },
    expect: { exit: [0, 1] },
  }),
  () => ({
    name: 'permission-two-answered-backwards',
    description: 'Two calls ask at once and get their answers in the other order, one of them a denial.',
    covers: ['permission', 'denial', 'parallel tools'],
    homeFiles: { 'outside/one.txt': 'one\n', 'outside/two.txt': 'two\n' },
    arguments: listening(...asking),
    steps: [
      ...opening('Read both'),
      { when: asksFor('Read'), remember: 'first' },
      { when: asksFor('Read'), send: allow() },
      { recall: 'first', send: deny('Not the first.') },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply(
          [
            tool('Read', { file_path: '../outside/one.txt' }, { success: false }),
            tool('Read', { file_path: '../outside/two.txt' }),
          ],
          usage(98, 61, 418, 0),
        ),
        reply([text('Only the second.')], usage(9, 3, 47, 418)),
      ],
    },
  }),
  () => ({
    name: 'interrupt-one-pending',
    description:
      'Two shell calls in one answer: the first waits for a permission, the second for the first, when the host interrupts.',
    covers: ['permission', 'interrupt', 'parallel tools'],
    arguments: listening(...asking),
    steps: [
      ...opening('Run both'),
      { when: asksFor('Bash') },
      { send: control('host-interrupt', 'interrupt') },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply(
          [
            tool('Bash', { command: 'touch one', description: 'One' }, { success: false }),
            tool('Bash', { command: 'touch two', description: 'Two' }, { success: false }),
          ],
          usage(97, 61, 417, 0),
        ),
      ],
    },
    expect: { exit: [0, 1] },
  }),
  () => ({
    name: 'permission-nobody',
    description: 'Nobody can be asked, so a Write and a Bash call are denied.',
    covers: ['denial'],
    arguments: once('Write it'),
    lanes: {
      main: [
        reply(
          [
            write('one.txt', { success: false }),
            tool('Bash', { command: 'touch two', description: 'Two' }, { success: false }),
          ],
          usage(98, 61, 418, 0),
        ),
        reply([text('Neither was allowed.')], usage(9, 5, 48, 418)),
      ],
    },
  }),
  () => ({
    name: 'permission-rule-deny',
    description: 'A deny rule in the settings and a disallowed tool.',
    covers: ['denial'],
    files: {
      '.claude/settings.json': { permissions: { deny: ['Bash(rm:*)', 'Read(./secret.txt)'], allow: ['Bash(echo:*)'] } },
      'secret.txt': 'hidden\n',
    },
    arguments: once('Try things'),
    lanes: {
      main: [
        reply(
          [
            tool('Bash', { command: 'rm -f secret.txt', description: 'Remove' }, { success: false }),
            tool('Read', { file_path: 'secret.txt' }, { success: false }),
            tool('Bash', { command: 'echo fine', description: 'Say' }),
          ],
          usage(99, 61, 419, 0),
        ),
        reply([text('Only one was allowed.')], usage(9, 5, 49, 419)),
      ],
    },
  }),
];
