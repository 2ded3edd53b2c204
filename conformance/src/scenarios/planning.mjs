import { allow, answers, asksFor, deny, initialize, isResult, user } from '../runner/steps.mjs';
import { plan, question } from '../script/asked.mjs';
import { text, tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { asking, listening, once } from './common.mjs';

const opening = (prompt) => [{ send: initialize() }, { when: answers('host-initialize') }, { send: user(prompt) }];

export const planning = [
  () => ({
    name: 'question-answered',
    small: true,
    description: 'The model asks a question and the host answers it.',
    covers: ['question'],
    arguments: listening(...asking),
    steps: [
      ...opening('Open a gate'),
      { when: asksFor('AskUserQuestion'), send: allow({ answers: { 'Which gate?': 'Lower' } }) },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply([tool('AskUserQuestion', { questions: [question] })], usage(120, 60, 440, 0)),
        reply([text('The lower one it is.')], usage(10, 6, 74, 440)),
      ],
    },
  }),
  () => ({
    name: 'question-declined',
    description: 'The model asks a question and the host declines.',
    covers: ['question', 'denial'],
    arguments: listening(...asking),
    steps: [
      ...opening('Open a gate'),
      { when: asksFor('AskUserQuestion'), send: deny('No questions now.') },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply([tool('AskUserQuestion', { questions: [question] }, { success: false })], usage(121, 60, 441, 0)),
        reply([text('Then I choose.')], usage(10, 4, 75, 441)),
      ],
    },
  }),
  () => ({
    name: 'plan-approved',
    description: 'A plan is approved and carried out.',
    covers: ['plan mode'],
    arguments: listening(...asking, '--permission-mode', 'plan'),
    steps: [
      ...opening('Plan it'),
      { when: asksFor('ExitPlanMode'), send: allow() },
      { when: asksFor('Write'), send: allow() },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply([text('Here is the plan.'), tool('ExitPlanMode', { plan })], usage(122, 60, 442, 0)),
        reply([tool('Write', { file_path: 'gate.txt', content: 'open\n' })], usage(10, 30, 76, 442)),
        reply([text('Carried out.')], usage(10, 4, 77, 518)),
      ],
    },
  }),
  () => ({
    name: 'plan-rejected',
    description: 'A plan is rejected, changed and approved.',
    covers: ['plan mode', 'denial'],
    arguments: listening(...asking, '--permission-mode', 'plan'),
    steps: [
      ...opening('Plan it'),
      { when: asksFor('ExitPlanMode'), send: deny('Close it first.') },
      { when: asksFor('ExitPlanMode'), send: allow() },
      { when: isResult },
    ],
    lanes: {
      main: [
        reply([tool('ExitPlanMode', { plan }, { success: false })], usage(123, 60, 443, 0)),
        reply([tool('ExitPlanMode', { plan: `${plan}3. Check.\n` })], usage(10, 30, 78, 443)),
        reply([text('Now it is agreed.')], usage(10, 4, 79, 521)),
      ],
    },
  }),
  () => ({
    name: 'plan-entered',
    description: 'The model enters plan mode by itself, and a plan is approved.',
    covers: ['plan mode'],
    arguments: listening(...asking),
    steps: [...opening('Do something large'), { when: asksFor('ExitPlanMode'), send: allow() }, { when: isResult }],
    lanes: {
      main: [
        reply([tool('EnterPlanMode', {})], usage(124, 20, 444, 0)),
        reply([tool('ExitPlanMode', { plan })], usage(10, 30, 80, 444)),
        reply([text('Planned.')], usage(10, 4, 81, 524)),
      ],
    },
  }),
  () => ({
    name: 'plan-mode-blocks',
    description: 'A Write in plan mode, with nobody to ask.',
    covers: ['plan mode', 'denial'],
    arguments: once('Plan it', '--permission-mode', 'plan'),
    lanes: {
      main: [
        reply([tool('Write', { file_path: 'x.txt', content: 'x\n' }, { success: false })], usage(125, 20, 445, 0)),
        reply([text('Not in plan mode.')], usage(10, 5, 82, 445)),
      ],
    },
  }),
];
