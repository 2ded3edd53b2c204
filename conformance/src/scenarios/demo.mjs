import { agent, text, thinking, tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { editing, once, partial } from './common.mjs';

const source = `export function total(items) {
  let sum = 0;
  for (let i = 1; i < items.length; i++) sum += items[i].price;
  return sum;
}
`;
const test = `import { total } from './cart.mjs';
const sum = total([{ price: 4 }, { price: 6 }]);
if (sum !== 10) {
  console.error(\`FAIL total of two items: expected 10, got \${sum}\`);
  process.exit(1);
}
console.log('ok total of two items');
`;
const plan = (subject, activeForm) => tool('TaskCreate', { subject, description: subject, activeForm });
const mark = (taskId, status) => tool('TaskUpdate', { taskId, status });

// The session that `tailrace demo` plays: a bit of everything, as a person would see it.
export const demo = [
  () => ({
    name: 'demo',
    description: 'A failing test is found, understood with a helper, mended and run again.',
    covers: ['partial messages', 'todo list', 'subagent', 'edit', 'shell'],
    files: { 'cart.mjs': source, 'cart.test.mjs': test },
    arguments: once(
      'The cart test fails. Mend it.',
      partial,
      ...editing,
      '--tools',
      'Bash,Read,Edit,Task,TaskCreate,TaskUpdate',
      '--allowedTools',
      'Bash',
    ),
    lanes: {
      main: [
        reply(
          [
            thinking('The test comes first: what does it say, and does it fail for the reason it names?'),
            text("I'll run the test first, then look at what it tests."),
            plan('Run the test', 'Running the test'),
            plan('Find the cause', 'Finding the cause'),
            plan('Mend it and run the test again', 'Mending it'),
          ],
          usage(412, 148, 6120, 0),
        ),
        reply(
          [tool('Bash', { command: 'node cart.test.mjs', description: 'Run the test' }, { success: false })],
          usage(9, 61, 240, 6120),
        ),
        reply(
          [
            text('It fails: the first item is not counted. Let me have somebody look at who else uses `total`.'),
            mark('1', 'completed'),
            mark('2', 'in_progress'),
            agent('AGENT-A', 'find out who calls total() and what they expect'),
          ],
          usage(11, 172, 310, 6360),
        ),
        reply([tool('Read', { file_path: 'cart.mjs' })], usage(10, 40, 420, 6670)),
        reply(
          [
            thinking('The loop begins at 1. Indices begin at 0.'),
            text('The loop begins at the second item. It has to begin at the first:'),
            tool('Edit', { file_path: 'cart.mjs', old_string: 'let i = 1;', new_string: 'let i = 0;' }),
            mark('2', 'completed'),
            mark('3', 'in_progress'),
          ],
          usage(12, 190, 180, 7090),
        ),
        reply(
          [tool('Bash', { command: 'node cart.test.mjs', description: 'Run the test again' })],
          usage(9, 58, 160, 7270),
        ),
        reply([mark('3', 'completed')], usage(8, 70, 90, 7430)),
        reply(
          [
            text(
              'The test passes now.\n\nThe loop in `total()` began at index **1**, so the first item was never counted. It begins at **0** now; nothing else calls it.',
            ),
          ],
          usage(9, 52, 110, 7520),
        ),
      ],
      'AGENT-A': [
        reply(
          [tool('Bash', { command: 'grep -n "total(" *.mjs', description: 'Who calls total' })],
          usage(310, 44, 2210, 0),
        ),
        reply(
          [text('Only cart.test.mjs calls total(); it expects every item to be counted.')],
          usage(11, 24, 80, 2210),
        ),
      ],
    },
  }),
];
