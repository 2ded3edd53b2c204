import { control, hasBlock, held, isResult, isTextDelta, user } from '../runner/steps.mjs';
import { text, thinking, tool } from '../script/blocks.mjs';
import { hold } from '../script/marks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { listening, partial, shell, waiting } from './common.mjs';

const interrupt = control('host-interrupt', 'interrupt');
const endless = [...'The water runs and runs '.repeat(2).match(/.{1,8}/g), hold(), 'never sent'];

export const interrupts = [
  () => ({
    name: 'interrupt-tool',
    small: true,
    description: 'The host interrupts while a shell command runs; a second turn works.',
    covers: ['interrupt', 'tool'],
    arguments: listening(...shell),
    steps: [
      { send: user('Wait for it', { uuid: '10000000-0000-4000-8000-000000000001' }) },
      { when: hasBlock('tool_use') },
      { whenFile: 'begun', send: interrupt },
      { when: isResult },
      { send: user('Go on') },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply(
          [text('I wait.'), tool('Bash', { command: waiting, description: 'Wait' }, { success: false })],
          usage(70, 40, 380, 0),
        ),
        reply([text('It was stopped.')], usage(8, 5, 50, 380)),
      ],
    },
    expect: { results: 2 },
  }),
  () => ({
    name: 'interrupt-tools-parallel',
    description: 'The host interrupts while one of two tools is done and the other runs.',
    covers: ['interrupt', 'parallel tools'],
    files: { 'a.txt': 'a\n' },
    arguments: listening(...shell),
    steps: [{ send: user('Wait for both') }, { whenFile: 'begun', send: interrupt }, { when: isResult }],
    lanes: {
      main: [
        reply(
          [
            tool('Read', { file_path: 'a.txt' }),
            tool('Bash', { command: waiting, description: 'Wait' }, { success: false }),
          ],
          usage(71, 40, 381, 0),
        ),
      ],
    },
    expect: { exit: [0, 1] },
  }),
  () => ({
    name: 'interrupt-tool-partial',
    description: 'The host interrupts a running tool with partial messages on.',
    covers: ['interrupt', 'tool', 'partial messages'],
    arguments: listening(partial, ...shell),
    steps: [{ send: user('Wait for it') }, { whenFile: 'begun', send: interrupt }, { when: isResult }],
    lanes: {
      main: [
        reply(
          [text('I wait.'), tool('Bash', { command: waiting, description: 'Wait' }, { success: false })],
          usage(72, 40, 382, 0),
        ),
      ],
    },
    expect: { exit: [0, 1] },
  }),
  () => ({
    name: 'interrupt-streaming-partial',
    description: 'The host interrupts in the middle of a text, with partial messages on; a second turn works.',
    covers: ['interrupt', 'partial messages'],
    arguments: listening(partial),
    steps: [
      { send: user('Tell me a long story') },
      { whenServer: held() },
      { when: isTextDelta, send: interrupt },
      { when: isResult },
      { send: user('Shorter') },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply([thinking('Long, then.'), text(endless)], usage(73, 400, 383, 0)),
        reply([text('It ran. The end.')], usage(8, 7, 50, 383)),
      ],
    },
    expect: { results: 2 },
  }),
  () => ({
    name: 'interrupt-streaming-plain',
    description:
      'The host interrupts in the middle of a text, without partial messages; the thinking block was printed before.',
    covers: ['interrupt'],
    arguments: listening(),
    steps: [
      { send: user('Tell me a long story') },
      { when: hasBlock('thinking') },
      { whenServer: held(), send: interrupt },
      { when: isResult },
    ],
    lanes: { main: [reply([thinking('Long, then.'), text(endless)], usage(74, 400, 384, 0))] },
    expect: { exit: [0, 1] },
  }),
  () => ({
    name: 'interrupt-tool-input-partial',
    description: 'The host interrupts while the input of a tool call is being streamed.',
    covers: ['interrupt', 'partial messages', 'tool'],
    arguments: listening(partial, ...shell),
    steps: [
      { send: user('Write a long command') },
      {
        when: (line) =>
          line.type === 'stream_event' &&
          line.event.delta?.type === 'input_json_delta' &&
          line.event.delta.partial_json.includes('echo'),
      },
      { whenServer: held(), send: interrupt },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply(
          [
            text('A command.'),
            tool(
              'Bash',
              { command: 'echo never' },
              { success: null, pieces: ['{"command": ', '"echo ne', hold(), 'ver"}'] },
            ),
          ],
          usage(75, 400, 385, 0),
        ),
      ],
    },
    expect: { exit: [0, 1] },
  }),
  () => ({
    name: 'interrupt-before-first-byte',
    description: 'The host interrupts before the model has said anything.',
    covers: ['interrupt'],
    arguments: listening(partial),
    steps: [
      { send: user('Think first') },
      { whenServer: held() },
      { when: (line) => line.type === 'stream_event' && line.event.type === 'message_start', send: interrupt },
      { when: isResult },
    ],
    lanes: { main: [reply([hold(), text('never')], usage(76, 400, 386, 0))] },
    expect: { exit: [0, 1] },
  }),
  () => ({
    name: 'interrupt-nothing',
    description: 'The host interrupts after the turn is over.',
    covers: ['interrupt'],
    arguments: listening(),
    steps: [
      { send: user('Be quick') },
      { when: isResult, send: interrupt },
      { when: (line) => line.type === 'control_response' },
      { send: user('Again') },
      { when: isResult },
    ],
    lanes: { main: [reply([text('Quick.')], usage(77, 3, 387, 0)), reply([text('Again.')], usage(8, 3, 40, 387))] },
    expect: { results: 2 },
  }),
  () => ({
    name: 'interrupt-queued',
    description: 'Two messages wait in the queue when the running turn is interrupted.',
    covers: ['interrupt', 'queue'],
    arguments: listening('--replay-user-messages', partial),
    steps: [
      { send: user('First', { uuid: '10000000-0000-4000-8000-000000000011' }) },
      { when: isTextDelta, send: user('Second', { uuid: '10000000-0000-4000-8000-000000000012' }) },
      { send: user('Third', { uuid: '10000000-0000-4000-8000-000000000013' }) },
      {
        when: (line) =>
          line.type === 'command_lifecycle' && line.state === 'queued' && line.command_uuid.endsWith('13'),
        send: interrupt,
      },
      { when: isResult },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply([text(['One. ', hold(), 'never'])], usage(78, 9, 388, 0)),
        reply([text('Two and three.')], usage(8, 5, 40, 388)),
        reply([text('Three.')], usage(8, 3, 41, 428)),
      ],
    },
    expect: { results: [2, 3] },
  }),
];
