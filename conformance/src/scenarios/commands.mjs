import { turns } from '../runner/steps.mjs';
import { text, tool } from '../script/blocks.mjs';
import { always, failure, reply, usage } from '../script/replies.mjs';
import { listening, once, partial } from './common.mjs';

const summary = () =>
  reply(
    [
      text(
        '<analysis>\nShort.\n</analysis>\n\n<summary>\n1. Primary Request and Intent: to talk about water.\n2. Current Work: none.\n</summary>',
      ),
    ],
    usage(4200, 81, 33, 20000),
  );
const smallWindow = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000' };
const filled = () => reply([text('A long answer about water. '.repeat(40))], usage(4010, 300, 20000, 0));

export const commands = [
  () => ({
    name: 'compact',
    small: true,
    description: 'The conversation is compacted by hand and goes on.',
    covers: ['compaction'],
    arguments: listening('--replay-user-messages'),
    steps: turns('Tell me about water', '/compact', 'Are you still here?'),
    lanes: { main: [filled(), reply([text('Still here.')], usage(61, 5, 510, 100))], $compact: [summary()] },
    expect: { results: 3 },
  }),
  () => ({
    name: 'compact-partial',
    description: 'The conversation is compacted by hand with partial messages on.',
    covers: ['compaction', 'partial messages'],
    arguments: listening(partial),
    steps: turns('Tell me about water', '/compact keep it short', 'Are you still here?'),
    lanes: { main: [filled(), reply([text('Still here.')], usage(62, 5, 511, 100))], $compact: [summary()] },
    expect: { results: 3 },
  }),
  () => ({
    name: 'compact-nothing',
    description: '/compact with nothing to compact.',
    covers: ['compaction'],
    arguments: listening(),
    steps: turns('/compact', 'Hello'),
    lanes: { main: [reply([text('Hello.')], usage(63, 3, 512, 0))], $compact: [summary()] },
    expect: { results: 2, exit: [0, 1] },
  }),
  () => ({
    name: 'compact-failed',
    description: 'The call that compacts fails.',
    covers: ['compaction', 'API error'],
    environment: { CLAUDE_CODE_MAX_RETRIES: '1' },
    arguments: listening(),
    steps: turns('Tell me about water', '/compact', 'Are you still here?'),
    lanes: {
      main: [filled(), reply([text('Still here.')], usage(64, 5, 513, 100))],
      $compact: [always(failure(400, 'no summary today'))],
    },
    expect: { results: 3, exit: [0, 1] },
  }),
  () => ({
    name: 'compact-auto',
    description: 'The context is full after the fourth answer, so it is compacted before the fifth.',
    covers: ['compaction'],
    environment: smallWindow,
    arguments: listening(),
    steps: turns('One', 'Two', 'Three', 'Tell me about water', 'Are you still here?'),
    lanes: {
      main: [
        ...['One.', 'Two.', 'Three.'].map((answer, index) =>
          reply([text(answer)], usage(60 + index, 5, 500, 300 * index)),
        ),
        reply([text('A long answer about water. '.repeat(40))], usage(5000, 300, 90000, 4000)),
        reply([text('Still here.')], usage(65, 5, 514, 100)),
      ],
      $compact: [summary()],
    },
    expect: { results: 5 },
  }),
  () => ({
    name: 'compact-auto-too-early',
    description: 'The context is full after the first answer, but there is too little to compact.',
    covers: ['compaction'],
    environment: smallWindow,
    arguments: listening(),
    steps: turns('Tell me about water', 'Are you still here?'),
    lanes: {
      main: [
        reply([text('A long answer about water. '.repeat(40))], usage(5000, 300, 90000, 4000)),
        reply([text('Still here.')], usage(65, 5, 514, 100)),
      ],
      $compact: [summary()],
    },
    expect: { results: 2 },
  }),
  () => ({
    name: 'compact-auto-in-loop',
    description: 'The context fills up in the middle of a tool loop.',
    covers: ['compaction', 'tool'],
    environment: smallWindow,
    files: { 'a.txt': 'a\n' },
    arguments: once('Read on', partial),
    lanes: {
      main: [
        ...[0, 1, 2].map((index) =>
          reply([text('Reading.'), tool('Read', { file_path: 'a.txt' })], usage(61 + index, 30, 510, 400 * index)),
        ),
        reply([text('Much.'), tool('Read', { file_path: 'a.txt' })], usage(5001, 300, 90001, 4001)),
        reply([tool('Read', { file_path: 'a.txt' })], usage(66, 30, 515, 100)),
        reply([text('Read five times.')], usage(67, 5, 516, 615)),
      ],
      $compact: [summary()],
    },
  }),
  () => ({
    name: 'prompt-too-long',
    description: 'The API says that the prompt is too long, so the conversation is compacted.',
    covers: ['compaction', 'API error'],
    arguments: listening(),
    steps: turns('Tell me about water', 'Are you still here?'),
    lanes: {
      main: [
        filled(),
        failure(400, 'prompt is too long: 210000 tokens > 200000 maximum'),
        reply([text('Still here.')], usage(68, 5, 517, 100)),
      ],
      $compact: [summary()],
    },
    expect: { results: 2, exit: [0, 1] },
  }),
  () => ({
    name: 'clear',
    small: true,
    description: '/clear between two turns starts a new conversation.',
    covers: ['conversation reset'],
    arguments: listening('--replay-user-messages'),
    steps: turns('One', '/clear', 'Two'),
    lanes: {
      main: [
        reply([text('First answer.')], usage(69, 4, 518, 0)),
        reply([text('A fresh start.')], usage(70, 4, 519, 0)),
      ],
    },
    expect: { results: [2, 3] },
  }),
  ...['/usage', '/context', '/cost', '/no-such-command'].map((command) => () => ({
    name: `command${command.replace('/', '-')}`,
    description: `${command} as the prompt.`,
    covers: ['slash command'],
    arguments: once(command),
    lanes: { main: [always(() => reply([text('An answer of the model.')], usage(71, 4, 520, 0)))] },
    expect: { exit: [0, 1] },
  })),
  () => ({
    name: 'command-custom',
    description: 'A command of the project, with an argument.',
    covers: ['slash command'],
    files: { '.claude/commands/measure.md': '---\ndescription: Measure\n---\nMeasure the $ARGUMENTS now.\n' },
    arguments: once('/measure river'),
    lanes: { main: [reply([text('The river is measured.')], usage(72, 5, 521, 0))] },
  }),
  () => ({
    name: 'command-between-turns',
    description: '/context between two turns over stdin.',
    covers: ['slash command', 'turns'],
    arguments: listening('--replay-user-messages'),
    steps: turns('One', '/context', 'Two'),
    lanes: {
      main: [
        reply([text('First answer.')], usage(73, 4, 522, 0)),
        reply([text('Second answer.')], usage(10, 4, 110, 522)),
      ],
    },
    expect: { results: 3 },
  }),
  () => ({
    name: 'skill',
    description: 'The model uses a skill of the project.',
    covers: ['skill'],
    files: {
      '.claude/skills/gauge/SKILL.md':
        '---\nname: gauge\ndescription: How to read the gauge\n---\nLook at the second mark.\n',
    },
    arguments: once('Read the gauge', '--allowedTools', 'Skill'),
    lanes: {
      main: [
        reply([tool('Skill', { skill: 'gauge' })], usage(74, 20, 523, 0)),
        reply([text('The second mark says four.')], usage(10, 7, 111, 523)),
      ],
    },
  }),
];
