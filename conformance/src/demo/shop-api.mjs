import { isResult } from '../runner/steps.mjs';
import { text, thinking, tool } from '../script/blocks.mjs';
import { usage } from '../script/replies.mjs';
import { mark, plan, prompt, quietNpm, say, started, timeLimit } from './common.mjs';

const files = {
  'package.json': { name: 'shop-api', version: '1.4.0', type: 'module', scripts: { test: 'node test/run.mjs' } },
  'src/checkout.mjs': `import { charge } from './payments.mjs';
import { reserve } from './stock.mjs';

/** Reserves what is in the cart, charges for it, and gives the order. */
export async function checkout(cart) {
  const order = { id: cart.id, lines: [], total: 0 };
  cart.items.forEach(async (item) => {
    const line = await reserve(item);
    order.lines.push(line);
    order.total += line.price * line.quantity;
  });
  await charge(order);
  return order;
}
`,
  'src/stock.mjs': `import { setTimeout as wait } from 'node:timers/promises';

const prices = { tea: 4.5, cup: 12, pot: 31 };

/** The warehouse takes a moment, and not always the same. */
export async function reserve({ sku, quantity }) {
  await wait(40);
  return { sku, quantity, price: prices[sku] };
}
`,
  'src/payments.mjs': `import { setTimeout as wait } from 'node:timers/promises';

export async function charge(order) {
  await wait(20);
  order.paid = order.total;
}
`,
  'src/routes.mjs': `import { checkout } from './checkout.mjs';

export const routes = {
  'POST /orders': async ({ body }) => ({ status: 201, body: await checkout(body) }),
};
`,
  'src/jobs/retry-orders.mjs': `import { checkout } from '../checkout.mjs';

export async function retryOrders(carts) {
  for (const cart of carts) await checkout(cart);
}
`,
  'test/run.mjs': `import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { checkout } from '../src/checkout.mjs';

const tests = {
  'an empty cart costs nothing': async () => assert.equal((await checkout({ id: 1, items: [] })).total, 0),
  'an order has every line of the cart': async () => {
    const items = [{ sku: 'tea', quantity: 2 }, { sku: 'pot', quantity: 1 }];
    assert.equal((await checkout({ id: 2, items })).lines.length, 2);
  },
  'what is paid is the total': async () => {
    const order = await checkout({ id: 3, items: [{ sku: 'cup', quantity: 2 }] });
    assert.equal(order.paid, 24);
  },
};

let failed = 0;
for (const [name, run] of Object.entries(tests)) {
  await wait(450);
  try {
    await run();
    console.log(\`✓ \${name}\`);
  } catch (error) {
    failed += 1;
    console.log(\`✗ \${name}\\n    expected \${error.expected}, got \${error.actual}\`);
  }
}
console.log(\`\\n\${Object.keys(tests).length - failed} passed, \${failed} failed\`);
process.exitCode = failed ? 1 : 0;
`,
};

const broken = `  cart.items.forEach(async (item) => {
    const line = await reserve(item);
    order.lines.push(line);
    order.total += line.price * line.quantity;
  });
`;
const mended = `  order.lines = await Promise.all(cart.items.map(reserve));
  order.total = order.lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
`;

const summary = `The checkout test is stable now.

**Cause.** \`checkout()\` used \`forEach\` with an \`async\` callback. Nobody waits for those promises, so the card was charged before the warehouse had answered. Whether the test passed depended on which of the two was faster.

\`\`\`js
order.lines = await Promise.all(cart.items.map(reserve));
order.total = order.lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
\`\`\`

| | before | now |
|---|---|---|
| lines are reserved | whenever they are | before the charge |
| \`order.paid\` | 0 or the total | the total |
| 3 tests | 1 passed | 3 passed |

The nightly job \`retry-orders\` calls the same function, so **orders it has retried may have been charged 0**. You may want to look at those.
`;

/** A flaky test is found, understood with a helper, mended and run again. */
export const shopApi = () => ({
  name: '1-shop-api',
  description: 'A flaky test is found, understood with a helper, mended and run again.',
  covers: ['demo', 'todo list', 'subagent', 'edit', 'shell'],
  files,
  environment: quietNpm,
  timeLimit,
  arguments: [
    ...started('Bash,Read,Grep,Edit,Task,TaskCreate,TaskUpdate', 'acceptEdits'),
    '--allowedTools=Bash(npm test)',
  ],
  steps: [{ send: prompt('Fix the flaky checkout test') }, { when: isResult }],
  lanes: {
    main: [
      say(
        [
          thinking(
            'A flaky test usually means that something is not awaited, or that two tests share state. First see it fail, then read what it tests. Running it once may not be enough.',
          ),
          text("I'll reproduce it first, then look for what is not awaited."),
          plan('Reproduce the failure', 'Reproducing the failure'),
          plan('Find the cause', 'Finding the cause'),
          plan('Mend it and run the tests again', 'Mending it'),
        ],
        usage(3, 312, 14_210, 0),
      ),
      say(
        [
          mark('1', 'in_progress'),
          tool('Bash', { command: 'npm test', description: 'Run the tests' }, { success: false }),
        ],
        usage(6, 118, 640, 14_210),
      ),
      say(
        [
          text(
            'Two of three fail: an order comes back without its lines. Let me have somebody look at who calls `checkout()` while I read it.',
          ),
          mark('1', 'completed'),
          mark('2', 'in_progress'),
          tool('Agent', {
            description: 'Find callers of checkout',
            prompt:
              'Find every caller of checkout() in this project and say whether they wait for it: files and lines.',
            subagent_type: 'Explore',
            run_in_background: false,
          }),
        ],
        usage(7, 288, 910, 14_850),
      ),
      say(
        [
          tool('Grep', { pattern: 'forEach\\(async', path: 'src', output_mode: 'content', '-n': true }),
          tool('Read', { file_path: 'src/checkout.mjs' }),
        ],
        usage(5, 154, 820, 15_760),
      ),
      say(
        [
          thinking(
            '`forEach` throws away the promises of its callback. So `charge` runs when 20 ms are over, `reserve` takes 40 ms: the total is still 0. Promise.all keeps the order of the lines and waits for all of them.',
          ),
          text(
            'There it is. `forEach` does not wait for an `async` callback, so the charge comes before the lines do. All lines have to be reserved first:',
          ),
          tool('Edit', { file_path: 'src/checkout.mjs', old_string: broken, new_string: mended }),
        ],
        usage(6, 402, 1180, 16_580),
      ),
      say([mark('2', 'completed'), mark('3', 'in_progress')], usage(5, 96, 460, 17_760)),
      say([tool('Bash', { command: 'npm test', description: 'Run the tests again' })], usage(5, 74, 210, 18_220)),
      say([mark('3', 'completed')], usage(4, 61, 190, 18_430)),
      say([text(summary)], usage(4, 348, 160, 18_620), { first: 2600, each: 140 }),
    ],
    'Find every caller of checkout()': [
      say(
        [tool('Grep', { pattern: 'checkout\\(', path: '.', output_mode: 'content', '-n': true })],
        usage(4, 92, 6480, 0),
      ),
      say(
        [tool('Read', { file_path: 'src/routes.mjs' }), tool('Read', { file_path: 'src/jobs/retry-orders.mjs' })],
        usage(5, 131, 720, 6480),
      ),
      say(
        [
          text(
            'Two callers besides the tests, both wait:\n- src/routes.mjs:4 (`POST /orders`)\n- src/jobs/retry-orders.mjs:4 (the nightly job)\n\nSo the fault is inside checkout() itself.',
          ),
        ],
        usage(5, 88, 540, 7200),
      ),
    ],
  },
});
