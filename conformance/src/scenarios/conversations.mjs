import { answers, control, initialize, isResult, turns, user } from '../runner/steps.mjs';
import { text, tool } from '../script/blocks.mjs';
import { always, reply, usage } from '../script/replies.mjs';
import { editing, listening, partial, shell, waiting } from './common.mjs';

const number = (last) => `10000000-0000-4000-8000-0000000001${last}`;
const queued = (last) => (line) =>
  line.type === 'command_lifecycle' && line.state === 'queued' && line.command_uuid === number(last);

export const conversations = [
  () => ({
    name: 'turns-replayed',
    small: true,
    description: 'Three turns over stdin, with the prompts replayed.',
    covers: ['turns', 'replay'],
    files: { 'a.txt': 'a\n' },
    arguments: listening('--replay-user-messages'),
    steps: turns(
      user('Read it', { uuid: number('01') }),
      user([{ type: 'text', text: 'And again' }], { uuid: number('02') }),
      user('Enough'),
    ),
    lanes: {
      main: [
        reply([tool('Read', { file_path: 'a.txt' })], usage(160, 20, 490, 0)),
        reply([text('a')], usage(10, 2, 100, 490)),
        reply([text('Still a.')], usage(10, 4, 101, 590)),
        reply([text('Good.')], usage(10, 2, 102, 691)),
      ],
    },
    expect: { results: 3 },
  }),
  () => ({
    name: 'turns-partial',
    description: 'Two turns over stdin with partial messages, prompts not replayed.',
    covers: ['turns', 'partial messages'],
    arguments: listening(partial),
    steps: turns('One', 'Two'),
    lanes: {
      main: [
        reply([text('First answer.')], usage(161, 4, 491, 0)),
        reply([text('Second answer.')], usage(10, 4, 103, 491)),
      ],
    },
    expect: { results: 2 },
  }),
  () => ({
    name: 'messages-during-tool',
    description: 'Two messages come in while a tool runs.',
    covers: ['turns', 'queue', 'replay'],
    arguments: listening('--replay-user-messages', ...shell),
    steps: [
      { send: user('First', { uuid: number('11') }) },
      { whenFile: 'begun', send: user('Second', { uuid: number('12') }) },
      { send: user('Third', { uuid: number('13') }) },
      { when: queued('13'), create: 'go' },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply([text('Waiting.'), tool('Bash', { command: waiting, description: 'Wait' })], usage(162, 30, 492, 0)),
        always(() => reply([text('All three.')], usage(10, 5, 104, 492))),
      ],
    },
    expect: { results: [1, 2, 3] },
  }),
  () => ({
    name: 'messages-all-at-once',
    description: 'Three messages are written before the first is answered, then stdin closes.',
    covers: ['turns', 'queue', 'replay'],
    arguments: listening('--replay-user-messages'),
    steps: [
      { send: user('First', { uuid: number('21') }) },
      { send: user('Second', { uuid: number('22') }) },
      { send: user('Third') },
      { close: true },
    ],
    lanes: { main: [always(() => reply([text('Answered.')], usage(40, 5, 105, 493)))] },
    expect: { results: [1, 2, 3] },
  }),
  () => ({
    name: 'controls',
    description: 'The host asks for a model, a mode, the context and something unknown between two turns.',
    covers: ['control', 'turns'],
    arguments: listening('--replay-user-messages', ...editing),
    steps: [
      { send: initialize() },
      { when: answers('host-initialize'), send: user('One') },
      { when: isResult, send: control('c1', 'set_model', { model: 'sonnet' }) },
      { when: answers('c1'), send: control('c2', 'set_permission_mode', { mode: 'plan' }) },
      { when: answers('c2'), send: control('c3', 'get_context_usage') },
      { when: answers('c3'), send: control('c4', 'no_such_thing') },
      { when: answers('c4'), send: user('Two') },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply([text('First answer.')], usage(163, 4, 494, 0)),
        reply([text('Second answer.')], usage(11, 4, 106, 0)),
      ],
    },
    expect: { results: 2 },
  }),
  () => ({
    name: 'stdin-not-json',
    description: 'A line on stdin is not JSON.',
    covers: ['usage error'],
    arguments: listening(),
    steps: [{ send: user('One') }, { when: isResult, send: 'this is not JSON\n' }],
    lanes: { main: [reply([text('First answer.')], usage(164, 4, 495, 0))] },
    expect: { exit: [0, 1] },
  }),
  () => ({
    name: 'session-state-events',
    description: 'Session state events and tool summaries are switched on.',
    covers: ['turns', 'state'],
    environment: { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1', CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES: '1' },
    files: { 'a.txt': 'a\n' },
    arguments: listening(),
    steps: turns('One', 'Two'),
    lanes: {
      main: [
        reply([tool('Read', { file_path: 'a.txt' })], usage(165, 20, 496, 0)),
        reply([text('a')], usage(10, 2, 107, 496)),
        reply([text('Still a.')], usage(10, 3, 108, 603)),
      ],
    },
    expect: { results: 2 },
  }),
];
