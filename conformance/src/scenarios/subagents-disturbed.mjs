// Sub-agents that are asked, stopped, broken or refused.

import { allow, asksFor, control, deny, hasBlock, held, isResult, user } from '../runner/steps.mjs';
import { agent, text, tool } from '../script/blocks.mjs';
import { cut, gate, hold } from '../script/marks.mjs';
import { always, failure, reply, usage } from '../script/replies.mjs';
import { asking, listening, once, partial, shell, waiting } from './common.mjs';

const files = { 'a.txt': 'alpha\n', 'b.txt': 'beta\n' };
const read = (name) => tool('Read', { file_path: name });
const mainSays = (content) => (line) =>
  hasBlock('text')(line) && !line.parent_tool_use_id && line.message.content[0].text === content;
const few = { CLAUDE_CODE_MAX_RETRIES: '1' };

export const subagentsDisturbed = [
  () => ({
    name: 'subagent-asks',
    description: 'A sub-agent asks twice for a permission: one is given, one is not.',
    covers: ['subagent', 'permission', 'denial'],
    arguments: listening(...asking),
    steps: [
      { send: user('Delegate') },
      { when: asksFor('Write'), send: allow() },
      { when: asksFor('Write'), send: deny('Not this one.') },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply([agent('AGENT-A', 'write two files')], usage(530, 75, 1530, 1)),
        reply([text('One of two.')], usage(45, 14, 135, 1531)),
      ],
      'AGENT-A': [
        reply([tool('Write', { file_path: 'one.txt', content: '1\n' })], usage(261, 57, 861, 3)),
        reply([tool('Write', { file_path: 'two.txt', content: '2\n' }, { success: false })], usage(23, 58, 74, 864)),
        reply([text('One was refused.')], usage(24, 22, 75, 938)),
      ],
    },
  }),
  () => ({
    name: 'subagent-interrupted',
    description: 'The host interrupts while a tool of a sub-agent runs; a second turn works.',
    covers: ['subagent', 'interrupt'],
    arguments: listening(...shell),
    steps: [
      { send: user('Delegate') },
      { whenFile: 'begun', send: control('host-interrupt', 'interrupt') },
      { when: isResult, send: user('And now?') },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply([agent('AGENT-A', 'wait', { success: false })], usage(531, 75, 1531, 1)),
        reply([text('It was stopped.')], usage(46, 14, 136, 1532)),
      ],
      'AGENT-A': [
        reply(
          [text('Waiting.'), tool('Bash', { command: waiting, description: 'Wait' }, { success: null })],
          usage(262, 57, 862, 3),
        ),
      ],
    },
    expect: { results: 2 },
  }),
  () => ({
    name: 'subagent-interrupted-streaming',
    description: 'The host interrupts while a sub-agent is still speaking.',
    covers: ['subagent', 'interrupt', 'partial messages'],
    files,
    arguments: listening(partial, '--forward-subagent-text'),
    steps: [
      { send: user('Delegate') },
      { whenServer: held('AGENT-A'), send: control('host-interrupt', 'interrupt') },
      { when: isResult },
    ],
    lanes: {
      main: [reply([agent('AGENT-A', 'speak', { success: false })], usage(532, 75, 1532, 1))],
      'AGENT-A': [
        reply([read('a.txt')], usage(263, 57, 863, 3)),
        reply([text(['I am speaking ', hold(), 'still'])], usage(25, 58, 76, 866)),
      ],
    },
    expect: { exit: [0, 1] },
  }),
  () => ({
    name: 'subagent-cut',
    description: 'The stream of a sub-agent breaks once.',
    covers: ['subagent', 'cut stream'],
    environment: { CLAUDE_CODE_MAX_RETRIES: '3' },
    files,
    arguments: once('Delegate', '--forward-subagent-text'),
    lanes: {
      main: [
        reply([agent('AGENT-A', 'read a.txt')], usage(533, 75, 1533, 1)),
        reply([text('It is alpha.')], usage(47, 14, 137, 1534)),
      ],
      'AGENT-A': [
        reply([text(['I read ', cut(), 'never'])], usage(264, 57, 864, 3)),
        reply([read('a.txt')], usage(265, 58, 864, 3)),
        reply([text('alpha')], usage(26, 22, 77, 867)),
      ],
    },
  }),
  () => ({
    name: 'subagent-retries',
    description: 'A sub-agent is overloaded once.',
    covers: ['subagent', 'retry'],
    environment: { CLAUDE_CODE_MAX_RETRIES: '3' },
    files,
    arguments: once('Delegate'),
    lanes: {
      main: [
        reply([agent('AGENT-A', 'read a.txt')], usage(534, 75, 1534, 1)),
        reply([text('It is alpha.')], usage(48, 14, 138, 1535)),
      ],
      'AGENT-A': [
        failure(529, 'Overloaded'),
        reply([read('a.txt')], usage(266, 58, 865, 3)),
        reply([text('alpha')], usage(27, 22, 78, 868)),
      ],
    },
  }),
  () => ({
    name: 'subagents-one-fails',
    description: 'Of two sub-agents one fails with an API error.',
    covers: ['subagent', 'API error', 'parallel tools'],
    environment: few,
    files,
    arguments: once('Delegate both', partial),
    lanes: {
      main: [
        reply([agent('AGENT-A', 'fail', { success: false }), agent('AGENT-B', 'read b.txt')], usage(535, 75, 1535, 1)),
        reply([text('Only beta.')], usage(49, 14, 139, 1536)),
      ],
      'AGENT-A': [always(failure(400, 'this is not valid'))],
      'AGENT-B': [reply([read('b.txt')], usage(267, 58, 866, 3)), reply([text('beta')], usage(28, 22, 79, 869))],
    },
  }),
  () => ({
    name: 'subagent-unknown-type',
    description: 'An Agent call with a type that does not exist starts nothing.',
    covers: ['subagent', 'tool error'],
    files,
    arguments: once('Delegate'),
    lanes: {
      main: [
        reply([agent('AGENT-A', 'read a.txt', { type: 'no-such-type', success: false })], usage(536, 75, 1536, 1)),
        reply([text('There is no such agent.')], usage(50, 14, 140, 1537)),
      ],
    },
  }),
  () => ({
    name: 'subagent-own-type',
    description: 'A sub-agent of a type that the project defines, with another model.',
    covers: ['subagent'],
    files: {
      ...files,
      '.claude/agents/gauger.md':
        '---\nname: gauger\ndescription: Reads gauges\nmodel: haiku\ntools: Read\n---\nYou read gauges.\n',
    },
    arguments: once('Delegate'),
    lanes: {
      main: [
        reply([agent('AGENT-A', 'read a.txt', { type: 'gauger' })], usage(537, 75, 1537, 1)),
        reply([text('It is alpha.')], usage(51, 14, 141, 1538)),
      ],
      'AGENT-A': [reply([read('a.txt')], usage(268, 58, 867, 3)), reply([text('alpha')], usage(29, 22, 80, 870))],
    },
  }),
  () => ({
    name: 'subagent-hook-denies',
    description: 'A hook denies a tool of a sub-agent.',
    covers: ['subagent', 'hook', 'denial'],
    files: {
      ...files,
      '.claude/settings.json': {
        hooks: {
          PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo "Not here." >&2; exit 2' }] }],
        },
      },
    },
    arguments: once('Delegate', ...shell),
    lanes: {
      main: [
        reply([agent('AGENT-A', 'run it')], usage(538, 75, 1538, 1)),
        reply([text('It was not allowed.')], usage(52, 14, 142, 1539)),
      ],
      'AGENT-A': [
        reply([tool('Bash', { command: 'echo x', description: 'Say' }, { success: false })], usage(269, 58, 868, 3)),
        reply([text('Not allowed.')], usage(30, 22, 81, 871)),
      ],
    },
  }),
  () => ({
    name: 'subagent-background-fails',
    description: 'A sub-agent in the background fails with an API error.',
    covers: ['subagent', 'background', 'API error'],
    environment: few,
    files,
    arguments: once('Delegate in the background'),
    steps: [{ when: mainSays('Started.'), open: 'agent' }],
    lanes: {
      main: [
        reply([agent('AGENT-A', 'fail', { background: true, success: null })], usage(539, 75, 1539, 1)),
        reply([text('Started.')], usage(53, 14, 143, 1540)),
        reply([text('It failed.')], usage(54, 15, 144, 1683)),
      ],
      'AGENT-A': [
        reply([gate('agent'), read('a.txt')], usage(270, 59, 869, 3)),
        always(failure(400, 'this is not valid')),
      ],
    },
    expect: { results: [1, 2], exit: [0, 1] },
  }),
  () => ({
    name: 'subagent-background-turns',
    description: 'A sub-agent in the background works while a second prompt is answered.',
    covers: ['subagent', 'background', 'turns', 'replay'],
    files,
    arguments: listening('--replay-user-messages'),
    steps: [
      { send: user('Delegate in the background', { uuid: '10000000-0000-4000-8000-000000000201' }) },
      { when: mainSays('Started.') },
      { send: user('Something else', { uuid: '10000000-0000-4000-8000-000000000202' }) },
      { when: mainSays('Something else is done.'), open: 'agent' },
      { when: mainSays('The agent is back.') },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply([agent('AGENT-A', 'read a.txt', { background: true })], usage(540, 75, 1540, 1)),
        reply([text('Started.')], usage(55, 14, 145, 1541)),
        reply([text('Something else is done.')], usage(56, 15, 146, 1686)),
        reply([text('The agent is back.')], usage(57, 15, 147, 1832)),
      ],
      'AGENT-A': [
        reply([gate('agent'), text('Reading.'), read('a.txt')], usage(271, 59, 870, 3)),
        reply([text('alpha')], usage(31, 22, 82, 873)),
      ],
    },
    expect: { results: [2, 3] },
  }),
  ...['SIGTERM', 'SIGKILL'].map((signal) => () => ({
    name: `${signal.toLowerCase()}-subagent`,
    description: `${signal} while a tool of a sub-agent runs.`,
    covers: ['subagent', 'signal'],
    files,
    arguments: once('Delegate', ...shell),
    steps: [{ when: (line) => hasBlock('tool_use')(line) && line.parent_tool_use_id }, { whenFile: 'begun', signal }],
    lanes: {
      main: [reply([text('I delegate.'), agent('AGENT-A', 'wait', { success: null })], usage(541, 75, 1541, 1))],
      'AGENT-A': [
        reply([tool('Bash', { command: waiting, description: 'Wait' }, { success: null })], usage(272, 57, 871, 3)),
      ],
    },
    expect: { exit: signal === 'SIGTERM' ? 143 : 'SIGKILL', results: 0 },
  })),
];
