import { agent, text, thinking, tool } from '../script/blocks.mjs';
import { gate } from '../script/marks.mjs';
import { always, failure, reply, usage } from '../script/replies.mjs';
import { editing, once, partial, shell } from './common.mjs';

const read = (name) => tool('Read', { file_path: name });
const files = { 'a.txt': 'alpha\n', 'b.txt': 'beta\n' };
const laneA = () => [
  reply([thinking('A file.'), text('Reading a.'), read('a.txt')], usage(211, 43, 811, 3)),
  reply([text('a.txt says alpha.')], usage(12, 15, 63, 814)),
];
const laneB = () => [
  reply([read('b.txt')], usage(222, 44, 822, 4)),
  reply([text('b.txt says beta.')], usage(13, 16, 64, 826)),
];

export const subagents = [
  () => ({
    name: 'subagent-one',
    small: true,
    description: 'One sub-agent in the foreground.',
    covers: ['subagent'],
    files,
    arguments: once('Delegate'),
    lanes: {
      main: [
        reply([text('I delegate.'), agent('AGENT-A', 'read a.txt')], usage(510, 71, 1510, 1)),
        reply([text('It is alpha.')], usage(31, 12, 121, 1511)),
      ],
      'AGENT-A': laneA(),
    },
  }),
  () => ({
    name: 'subagent-one-partial',
    description: 'One sub-agent in the foreground with partial messages on.',
    covers: ['subagent', 'partial messages'],
    files,
    arguments: once('Delegate', partial),
    lanes: {
      main: [
        reply([text('I delegate.'), agent('AGENT-A', 'read a.txt')], usage(511, 71, 1511, 1)),
        reply([text('It is alpha.')], usage(31, 12, 121, 1512)),
      ],
      'AGENT-A': laneA(),
    },
  }),
  () => ({
    name: 'subagent-forwarded-partial',
    description: 'One sub-agent with its text forwarded and partial messages on.',
    covers: ['subagent', 'partial messages', 'forwarded text'],
    files,
    arguments: once('Delegate', partial, '--forward-subagent-text'),
    lanes: {
      main: [
        reply([text('I delegate.'), agent('AGENT-A', 'read a.txt')], usage(512, 71, 1512, 1)),
        reply([text('It is alpha.')], usage(31, 12, 121, 1513)),
      ],
      'AGENT-A': laneA(),
    },
  }),
  () => ({
    name: 'subagents-parallel',
    small: true,
    description: 'Two sub-agents in one answer, beside a tool of the main thread.',
    covers: ['subagent', 'parallel tools'],
    files,
    arguments: once('Delegate both', ...shell),
    lanes: {
      main: [
        reply(
          [
            agent('AGENT-A', 'read a.txt'),
            agent('AGENT-B', 'read b.txt'),
            tool('Bash', { command: 'echo main', description: 'Say main' }),
          ],
          usage(513, 150, 1513, 1),
        ),
        reply([text('alpha and beta.')], usage(32, 13, 122, 1514)),
      ],
      'AGENT-A': laneA(),
      'AGENT-B': laneB(),
    },
  }),
  () => ({
    name: 'subagents-in-turn',
    description: 'Two sub-agents, one after the other.',
    covers: ['subagent'],
    files,
    arguments: once('Delegate both', '--forward-subagent-text'),
    lanes: {
      main: [
        reply([agent('AGENT-A', 'read a.txt')], usage(514, 75, 1514, 1)),
        reply([agent('AGENT-B', 'read b.txt')], usage(33, 76, 200, 1515)),
        reply([text('alpha, then beta.')], usage(33, 13, 123, 1715)),
      ],
      'AGENT-A': laneA(),
      'AGENT-B': laneB(),
    },
  }),
  () => ({
    name: 'subagent-nested',
    small: true,
    description: 'A sub-agent starts another one.',
    covers: ['subagent', 'nested'],
    files,
    arguments: once('Delegate deeper'),
    lanes: {
      main: [
        reply([agent('AGENT-A', 'delegate again')], usage(515, 75, 1515, 1)),
        reply([text('It came back through two.')], usage(34, 14, 124, 1516)),
      ],
      'AGENT-A': [
        reply([text('Further down.'), agent('AGENT-B', 'read b.txt')], usage(231, 51, 831, 3)),
        reply([text('B says beta.')], usage(14, 17, 65, 834)),
      ],
      'AGENT-B': laneB(),
    },
  }),
  () => ({
    name: 'subagent-nested-three',
    description: 'Three sub-agents, each started by the one before, with forwarded text.',
    covers: ['subagent', 'nested'],
    files,
    arguments: once('Delegate three deep', '--forward-subagent-text', ...shell),
    lanes: {
      main: [
        reply([agent('AGENT-A', 'go down')], usage(516, 75, 1516, 1)),
        reply([text('It came back through three.')], usage(35, 14, 125, 1517)),
      ],
      'AGENT-A': [
        reply([agent('AGENT-B', 'go further down')], usage(241, 52, 841, 3)),
        reply([text('A is done.')], usage(15, 18, 66, 844)),
      ],
      'AGENT-B': [
        reply([read('b.txt'), agent('AGENT-C', 'the bottom')], usage(242, 53, 842, 3)),
        reply([text('B is done.')], usage(16, 19, 67, 845)),
      ],
      'AGENT-C': [
        reply([tool('Bash', { command: 'echo bottom', description: 'Say' })], usage(243, 54, 843, 3)),
        reply([text('C is done.')], usage(17, 20, 68, 846)),
      ],
    },
  }),
  () => ({
    name: 'subagent-background',
    small: true,
    description: 'A sub-agent in the background ends after the answer of the main thread, so there are two results.',
    covers: ['subagent', 'background'],
    files,
    arguments: once('Delegate in the background'),
    steps: [
      {
        when: (line) =>
          line.type === 'assistant' &&
          !line.parent_tool_use_id &&
          line.message.content[0].text === 'Started; more later.',
        open: 'agent',
      },
    ],
    lanes: {
      main: [
        reply([agent('AGENT-A', 'read a.txt', { background: true })], usage(517, 75, 1517, 1)),
        reply([text('Started; more later.')], usage(36, 14, 126, 1518)),
        reply([text('The agent says alpha.')], usage(37, 15, 127, 1644)),
        reply([text('The agent says alpha.')], usage(37, 15, 127, 1644)),
      ],
      'AGENT-A': [
        reply([gate('agent'), text('Reading a.'), read('a.txt')], usage(251, 55, 851, 3)),
        reply([text('a.txt says alpha.')], usage(18, 21, 69, 854)),
      ],
    },
    expect: { results: 2 },
  }),
  () => ({
    name: 'subagents-background-two',
    description: 'Two sub-agents in the background, and partial messages.',
    covers: ['subagent', 'background', 'partial messages'],
    files,
    arguments: once('Delegate both in the background', partial),
    steps: [
      {
        when: (line) =>
          line.type === 'assistant' && !line.parent_tool_use_id && line.message.content[0].text === 'Both started.',
        open: 'agents',
      },
    ],
    lanes: {
      main: [
        reply(
          [agent('AGENT-A', 'read a.txt', { background: true }), agent('AGENT-B', 'read b.txt', { background: true })],
          usage(518, 75, 1518, 1),
        ),
        reply([text('Both started.')], usage(38, 14, 128, 1519)),
        reply([text('One is back.')], usage(39, 15, 129, 1647)),
        reply([text('The other is back.')], usage(40, 16, 130, 1776)),
      ],
      'AGENT-A': [
        reply([gate('agents'), read('a.txt')], usage(252, 55, 852, 3)),
        reply([text('alpha')], usage(19, 21, 70, 855)),
      ],
      'AGENT-B': [
        reply([gate('agents'), read('b.txt')], usage(253, 55, 853, 3)),
        reply([text('beta')], usage(20, 21, 71, 856)),
      ],
    },
    expect: { results: [2, 3] },
  }),
  () => ({
    name: 'subagent-api-error',
    description: 'A sub-agent fails with an API error; the main thread goes on.',
    covers: ['subagent', 'API error'],
    environment: { CLAUDE_CODE_MAX_RETRIES: '1' },
    files,
    arguments: once('Delegate'),
    lanes: {
      main: [
        reply([agent('AGENT-A', 'fail', { success: false })], usage(519, 75, 1519, 1)),
        reply([text('The agent failed.')], usage(41, 14, 131, 1520)),
      ],
      'AGENT-A': [always(failure(400, 'messages.0: something is wrong here'))],
    },
  }),
  () => ({
    name: 'subagent-api-error-later',
    description: 'A sub-agent reads a file, then fails with an API error.',
    covers: ['subagent', 'API error'],
    environment: { CLAUDE_CODE_MAX_RETRIES: '1' },
    files,
    arguments: once('Delegate'),
    lanes: {
      main: [
        reply([agent('AGENT-A', 'read a.txt', { success: false })], usage(520, 75, 1520, 1)),
        reply([text('The agent gave up.')], usage(42, 14, 132, 1521)),
      ],
      'AGENT-A': [
        reply([text('Reading.'), read('a.txt')], usage(254, 56, 854, 3)),
        always(failure(400, 'messages.2: something is wrong here')),
      ],
    },
  }),
  () => ({
    name: 'subagent-edits',
    description: 'A sub-agent creates a file and edits another; the main thread edits a third.',
    covers: ['subagent', 'edit'],
    files,
    arguments: once('Delegate the edits', ...editing),
    lanes: {
      main: [
        reply([agent('AGENT-A', 'make the edits')], usage(521, 75, 1521, 1)),
        reply([tool('Write', { file_path: 'main.txt', content: 'main\n' })], usage(43, 20, 133, 1522)),
        reply([text('All edited.')], usage(43, 14, 133, 1655)),
      ],
      'AGENT-A': [
        reply([read('a.txt')], usage(255, 57, 855, 3)),
        reply(
          [
            tool('Edit', { file_path: 'a.txt', old_string: 'alpha', new_string: 'ALPHA' }),
            tool('Write', { file_path: 'new.txt', content: 'new\n' }),
          ],
          usage(21, 58, 72, 858),
        ),
        reply([text('Edited and made.')], usage(22, 22, 73, 930)),
      ],
    },
  }),
  () => ({
    name: 'subagent-tool-error',
    description: 'A tool of a sub-agent fails and another is denied.',
    covers: ['subagent', 'tool error', 'denial'],
    files,
    arguments: once('Delegate'),
    lanes: {
      main: [
        reply([agent('AGENT-A', 'try')], usage(522, 75, 1522, 1)),
        reply([text('It could not.')], usage(44, 14, 134, 1523)),
      ],
      'AGENT-A': [
        reply(
          [
            tool('Read', { file_path: 'gone.txt' }, { success: false }),
            tool('Bash', { command: 'touch x', description: 'Touch' }, { success: false }),
          ],
          usage(256, 57, 856, 3),
        ),
        reply([text('Neither worked.')], usage(22, 22, 73, 859)),
      ],
    },
  }),
  () => ({
    name: 'subagent-same-tool-id',
    description: 'The main thread and a sub-agent use the same tool id.',
    covers: ['subagent', 'duplicate ids'],
    files,
    arguments: once('Delegate'),
    lanes: {
      main: [
        reply([tool('Read', { file_path: 'b.txt' }, { id: 'toolu_01SameIdentifierForBoth' })], usage(523, 75, 1523, 1)),
        reply([agent('AGENT-A', 'read a.txt')], usage(45, 70, 135, 1524)),
        reply([text('Both are read.')], usage(45, 14, 135, 1659)),
      ],
      'AGENT-A': [
        reply([tool('Read', { file_path: 'a.txt' }, { id: 'toolu_01SameIdentifierForBoth' })], usage(257, 57, 857, 3)),
        reply([text('alpha')], usage(23, 22, 74, 860)),
      ],
    },
  }),
];
