import { asksFor, deny, isResult, user } from '../runner/steps.mjs';
import { text, tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { asking, editing, listening, once, shell } from './common.mjs';

const settings = (hooks) => ({ '.claude/settings.json': { hooks } });
const command = (line) => [{ type: 'command', command: line }];
const say = (value) => `printf '%s' '${JSON.stringify(value)}'`;
const denial = say({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: 'The gate is shut.',
  },
});

const twoCalls = () => [
  reply(
    [text('I try both.'), tool('Bash', { command: 'echo never', description: 'Never run' }, { success: false })],
    usage(90, 40, 500, 1),
  ),
  reply([tool('Write', { file_path: 'out.txt', content: 'x\n' })], usage(11, 33, 60, 501)),
  reply([text('One was stopped, one went through.')], usage(12, 14, 61, 561)),
];

export const hooks = [
  () => ({
    name: 'hook-deny',
    small: true,
    description: 'A PreToolUse hook denies the first call by permissionDecision.',
    covers: ['hook', 'denial'],
    files: settings({ PreToolUse: [{ matcher: 'Bash', hooks: command(denial) }] }),
    arguments: once('Try it', ...editing, ...shell),
    lanes: { main: twoCalls() },
  }),
  () => ({
    name: 'hook-deny-events',
    description: 'The same denial with --include-hook-events.',
    covers: ['hook', 'denial', 'hook events'],
    files: settings({
      PreToolUse: [{ matcher: 'Bash', hooks: command(denial) }],
      PostToolUse: [{ matcher: 'Write', hooks: command('echo written') }],
    }),
    arguments: once('Try it', '--include-hook-events', ...editing, ...shell),
    lanes: { main: twoCalls() },
  }),
  () => ({
    name: 'hook-exit-2',
    description: 'A PreToolUse hook blocks the first call by exit code 2 and a message on stderr.',
    covers: ['hook', 'denial'],
    files: settings({ PreToolUse: [{ matcher: 'Bash', hooks: command('echo "Not through here." >&2; exit 2') }] }),
    arguments: once('Try it', ...editing, ...shell),
    lanes: { main: twoCalls() },
  }),
  () => ({
    name: 'hook-exit-1',
    description: 'A PreToolUse hook that breaks (exit code 1) does not block.',
    covers: ['hook'],
    files: settings({ PreToolUse: [{ matcher: 'Bash', hooks: command('echo "broken" >&2; exit 1') }] }),
    arguments: once('Try it', '--include-hook-events', ...shell),
    lanes: {
      main: [
        reply([tool('Bash', { command: 'echo ran', description: 'Run' })], usage(80, 30, 400, 0)),
        reply([text('It ran.')], usage(10, 4, 50, 400)),
      ],
    },
  }),
  () => ({
    name: 'hook-post-blocks',
    description: 'A PostToolUse hook gives feedback by exit code 2 after the tool ran.',
    covers: ['hook'],
    files: settings({ PostToolUse: [{ matcher: 'Bash', hooks: command('echo "Look again." >&2; exit 2') }] }),
    arguments: once('Try it', '--include-hook-events', ...shell),
    lanes: {
      main: [
        reply([tool('Bash', { command: 'echo ran', description: 'Run' })], usage(81, 30, 400, 0)),
        reply([text('I saw the remark.')], usage(10, 5, 51, 400)),
      ],
    },
  }),
  () => ({
    name: 'hook-stop-blocks',
    description: 'A Stop hook blocks the first end, so the model goes on once.',
    covers: ['hook', 'stop'],
    files: settings({
      Stop: [
        {
          hooks: command(
            `if [ -e stopped ]; then exit 0; fi; touch stopped; ${say({ decision: 'block', reason: 'Say one thing more.' })}`,
          ),
        },
      ],
    }),
    arguments: once('Finish'),
    lanes: {
      main: [reply([text('I am done.')], usage(50, 6, 400, 0)), reply([text('One thing more.')], usage(9, 5, 33, 400))],
    },
  }),
  () => ({
    name: 'hook-stop-continue-false',
    description: 'A PostToolUse hook ends the run with continue false.',
    covers: ['hook', 'stop'],
    files: settings({
      PostToolUse: [{ matcher: 'Bash', hooks: command(say({ continue: false, stopReason: 'Enough water.' })) }],
    }),
    arguments: once('Try it', ...shell),
    lanes: { main: [reply([tool('Bash', { command: 'echo ran', description: 'Run' })], usage(82, 30, 400, 0))] },
    expect: { exit: [0, 1] },
  }),
  () => ({
    name: 'hook-events-all',
    description: 'SessionStart, UserPromptSubmit, PreToolUse, PostToolUse and Stop hooks, all shown.',
    covers: ['hook', 'hook events'],
    files: settings({
      SessionStart: [{ hooks: command('echo started') }],
      UserPromptSubmit: [{ hooks: command('echo asked') }],
      PreToolUse: [{ matcher: '*', hooks: command('echo before') }],
      PostToolUse: [{ matcher: '*', hooks: command('echo after') }],
      Stop: [{ hooks: command('true') }],
    }),
    arguments: once('Run it', '--include-hook-events', ...shell),
    lanes: {
      main: [
        reply([tool('Bash', { command: 'echo ran', description: 'Run' })], usage(83, 30, 400, 0)),
        reply([text('Done with hooks.')], usage(10, 4, 50, 400)),
      ],
    },
  }),
  () => ({
    name: 'hook-changes-input',
    description: 'A PreToolUse hook allows a call with another input.',
    covers: ['hook', 'updatedInput'],
    files: settings({
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: command(
            say({
              hookSpecificOutput: {
                hookEventName: 'PreToolUse',
                permissionDecision: 'allow',
                updatedInput: { command: 'echo changed', description: 'Changed' },
              },
            }),
          ),
        },
      ],
    }),
    arguments: once('Try it'),
    lanes: {
      main: [
        reply([tool('Bash', { command: 'echo original', description: 'Say' })], usage(84, 30, 401, 0)),
        reply([text('It was changed.')], usage(10, 5, 52, 401)),
      ],
    },
  }),
  () => ({
    name: 'hook-asks',
    description: 'A PreToolUse hook wants the host to be asked, and the host denies.',
    covers: ['hook', 'permission', 'denial'],
    files: settings({
      PreToolUse: [
        {
          matcher: 'Read',
          hooks: command(
            say({
              hookSpecificOutput: {
                hookEventName: 'PreToolUse',
                permissionDecision: 'ask',
                permissionDecisionReason: 'Better ask.',
              },
            }),
          ),
        },
      ],
    }),
    arguments: listening(...asking),
    steps: [{ send: user('Read it') }, { when: asksFor('Read'), send: deny('Rather not.') }, { when: isResult }],
    lanes: {
      main: [
        reply([tool('Read', { file_path: 'a.txt' }, { success: false })], usage(85, 30, 402, 0)),
        reply([text('Not read.')], usage(10, 5, 53, 402)),
      ],
    },
  }),
  () => ({
    name: 'hook-prompt-blocked',
    description: 'A UserPromptSubmit hook blocks the prompt.',
    covers: ['hook', 'stop'],
    files: settings({ UserPromptSubmit: [{ hooks: command('echo "Not today." >&2; exit 2') }] }),
    arguments: once('Try it'),
    expect: { exit: [0, 1], results: [0, 1] },
  }),
];
