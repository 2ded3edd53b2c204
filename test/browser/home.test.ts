// Home in a real browser: what waits, what is at work, and what was.

import { writeFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { call } from '../../packages/cli/test/command.ts';
import { type Served, type Step, serve } from '../../packages/cli/test/serve/served.ts';
import { type AgentsPlace, answerIn, createAgentsPlace, press, startRun } from './agents.ts';
import { browserTest, openBrowser } from './chromium.ts';
import { signInPage } from './signed-in.ts';

const TODOS = [
  { content: 'Find the race', status: 'completed', activeForm: 'Finding the race' },
  { content: 'Mend it', status: 'in_progress', activeForm: 'Mending it' },
  { content: 'Run the tests', status: 'pending', activeForm: 'Running the tests' },
];

async function open(place: AgentsPlace): Promise<{ page: Page; served: Served }> {
  const served = await serve(place);
  return { page: await signInPage(await openBrowser(), served), served };
}

const section = (page: Page, name: string | RegExp): Locator => page.getByRole('region', { name });

/** The whole row of a session: what stands around its link. */
const row = (within: Locator, title: string): Locator =>
  within.locator('div.group\\/row').filter({ has: within.page().getByRole('link', { name: title, exact: true }) });

/** The titles in the order in which they stand. */
const titles = (within: Locator): Promise<readonly string[]> => within.locator('a[data-row]').allInnerTexts();

/** A session that is over. */
async function past(place: AgentsPlace, prompt: string, steps: readonly Step[], project = 'work'): Promise<void> {
  place.script([['init'], ['prompt'], ...steps]);
  await call(['run', '--cwd', place.addProject(project), prompt], { env: place.env });
}

/** The lines of a session that another model answers, and that costs what is named. */
const dear = (costUsd: number, model: string): readonly Step[] => {
  const line = (value: object): string => `${JSON.stringify(value)}\n`;
  const usage = { input_tokens: 40_000, output_tokens: 2_000 };
  return [
    ['text', 'Looked at all of it.'],
    [
      'raw',
      line({
        type: 'result',
        subtype: 'success',
        is_error: false,
        result: 'Looked at all of it.',
        num_turns: 1,
        duration_ms: 61_000,
        total_cost_usd: costUsd,
        usage,
        modelUsage: { [model]: { inputTokens: 40_000, outputTokens: 2_000, costUSD: costUsd } },
      }),
    ],
  ];
};

browserTest('a session at work: state word, project, title, last words, phase, bar with its label, cost', async () => {
  const place = createAgentsPlace();
  const { page } = await open(place);
  await startRun(page, place, {
    prompt: 'Fix the flaky checkout test',
    steps: [
      ['init'],
      ['prompt'],
      ['text', 'I start with the **test** itself.'],
      ['call', 'todo', 'TodoWrite', { todos: TODOS }],
      ['done', 'todo'],
      ['call', 'run', 'Bash', { command: 'npm test' }],
      ['await-file', place.file('go')],
      ['done', 'run'],
      ['result'],
    ],
  });
  const working = section(page, 'Working (1)');
  const session = row(working, 'Fix the flaky checkout test');
  for (const text of ['work', 'I start with the test itself.', '1/3'])
    await session.getByText(text, { exact: true }).waitFor();
  await session.getByText('working', { exact: true }).first().waitFor();
  const bar = session.getByRole('progressbar');
  expect(await bar.getAttribute('aria-valuetext')).toBe('1/3');
  expect(await bar.getAttribute('aria-valuenow')).toBe('33');
  await session.getByText('Mend it', { exact: true }).waitFor();
  await session.getByText(/^\d+:\d\d$/).waitFor();
  writeFileSync(place.file('go'), '');
  const earlier = section(page, /^Earlier/);
  const over = row(earlier, 'Fix the flaky checkout test');
  for (const text of ['ended well', 'fake-1', '$0.00100', 'I start with the test itself.'])
    await over.getByText(text, { exact: true }).waitFor();
  await working.waitFor({ state: 'detached' });
});

browserTest('a session of another terminal appears by itself, and says where it waits', async () => {
  const place = createAgentsPlace();
  const { page } = await open(place);
  await page.getByText('There is no session yet').waitFor();
  place.script([['init'], ['prompt'], ['text', 'Hm.'], ['await-file', place.file('go')], ['result']]);
  const run = call(['run', '--cwd', place.project, 'Tidy up'], { env: place.env });
  await row(section(page, 'Working (1)'), 'Tidy up').getByText('Hm.').waitFor();
  expect(await page.getByText('There is no session yet').count()).toBe(0);
  writeFileSync(place.file('go'), '');
  await row(section(page, 'Earlier (1)'), 'Tidy up').getByText('ended well', { exact: true }).waitFor();
  expect((await run).code).toBe(0);
});

browserTest(
  'earlier sessions: by project and by day, with model, cost, tokens, duration and how they went',
  async () => {
    const place = createAgentsPlace();
    await past(place, 'Add rate limiting', dear(1.02, 'fake-1'), 'shop-api');
    await past(place, 'Upgrade terraform', [['text', 'I could not.'], ['failure']], 'infra');
    await past(
      place,
      'Say hello',
      [
        ['text', 'Hello.'],
        ['result', 'Hello.'],
      ],
      'shop-api',
    );
    const { page } = await open(place);
    const earlier = section(page, 'Earlier (3)');
    await earlier.getByRole('heading', { level: 3, name: 'shop-api' }).waitFor();
    expect(await earlier.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^shop-api\s*2$/), expect.stringMatching(/^infra\s*1$/)]),
    );
    const first = row(earlier, 'Add rate limiting');
    for (const text of ['ended well', 'Looked at all of it.', 'fake-1', '$1.02', '42k'])
      await first.getByText(text, { exact: true }).first().waitFor();
    await first.getByText(/^[\d.]+ m?s$/).waitFor();
    await row(earlier, 'Upgrade terraform').getByText('ended with an error', { exact: true }).waitFor();
    await earlier.getByText('cost:').waitFor();
    expect(await earlier.getByText('cost:').locator('..').innerText()).toMatch(/cost: \$1\.02/);
    await earlier.getByRole('combobox', { name: 'Groups' }).selectOption('by day');
    await earlier.getByRole('heading', { level: 3, name: /today/i }).waitFor();
    await row(earlier, 'Add rate limiting').getByText('shop-api', { exact: true }).waitFor();
  },
);

browserTest('filters, orders and words narrow the list; they stand in the address and survive a reload', async () => {
  const place = createAgentsPlace();
  await past(place, 'Add rate limiting', dear(1.02, 'fake-1'), 'shop-api');
  await past(place, 'Upgrade terraform', [['text', 'I could not.'], ['failure']], 'infra');
  await past(
    place,
    'Say hello',
    [
      ['text', 'Hello.'],
      ['result', 'Hello.'],
    ],
    'shop-api',
  );
  const { page } = await open(place);
  const earlier = section(page, /^Earlier/);
  const choose = (name: string, option: string): Promise<unknown> =>
    earlier.getByRole('combobox', { name }).selectOption(option);
  await section(page, 'Earlier (3)').waitFor();

  await choose('Project', 'infra');
  await section(page, 'Earlier (1)').waitFor();
  expect(await titles(earlier)).toEqual(['Upgrade terraform']);
  await page.reload();
  await section(page, 'Earlier (1)').waitFor();
  expect(await titles(earlier)).toEqual(['Upgrade terraform']);
  await choose('Project', 'all projects');
  await section(page, 'Earlier (3)').waitFor();
  await choose('How it went', 'ended with an error');
  await section(page, 'Earlier (1)').waitFor();
  expect(await titles(earlier)).toEqual(['Upgrade terraform']);
  await choose('How it went', 'however it went');
  await section(page, 'Earlier (3)').waitFor();

  await choose('Groups', 'by day');
  await choose('Order', 'dearest first');
  expect((await titles(earlier))[0]).toBe('Add rate limiting');
  await choose('Order', 'most tokens first');
  expect((await titles(earlier))[0]).toBe('Add rate limiting');

  await earlier.getByRole('button', { name: 'Star Say hello' }).click();
  await earlier.getByRole('button', { name: 'starred', exact: true }).click();
  await section(page, 'Earlier (1)').waitFor();
  expect(await titles(earlier)).toEqual(['Say hello']);
  await earlier.getByRole('button', { name: 'starred', exact: true }).click();
  await section(page, 'Earlier (3)').waitFor();

  // A slip and a piece of a word are enough.
  await page.keyboard.press('/');
  await page.keyboard.type('teraform');
  await section(page, 'Earlier (1)').waitFor();
  expect(await titles(earlier)).toEqual(['Upgrade terraform']);
  await page.getByRole('searchbox').fill('limit shop');
  await earlier.getByRole('link', { name: 'Add rate limiting' }).waitFor();
  expect(await titles(earlier)).toEqual(['Add rate limiting']);
  expect(page.url()).toContain('q=limit');
  await page.reload();
  await section(page, 'Earlier (1)').waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('limit shop');
  await page.getByRole('searchbox').fill('nothing like it');
  await earlier.getByText('No session fits').waitFor();
  await earlier.getByRole('button', { name: 'Show all sessions' }).click();
  await section(page, 'Earlier (3)').waitFor();
});

browserTest('the inbox has what waits over all sessions, the oldest first, and answers it there', async () => {
  const place = createAgentsPlace();
  place.addProject('docs');
  const { page } = await open(place);
  await startRun(page, place, {
    prompt: 'Clean up',
    steps: [
      ['init'],
      ['prompt'],
      ['call', 'a', 'Bash', { command: 'rm -rf build/' }],
      ['ask', 'a', 'Bash', { command: 'rm -rf build/' }],
      ['text', 'The folder is clean.'],
      ['result', 'The folder is clean.'],
      ['until-stdin-ends'],
    ],
  });
  const inbox = section(page, /^Waiting for you/);
  const first = inbox.getByRole('article').filter({ hasText: 'Clean up' });
  await first.getByText('rm -rf build/', { exact: true }).waitFor();
  await startRun(page, place, {
    prompt: 'Write the guide',
    project: 'docs',
    steps: [
      ['init'],
      ['prompt'],
      ['question', 'q', 'Which section first?', ['Install', 'Usage']],
      ['text', 'So be it.'],
      ['result', 'So be it.'],
    ],
  });
  await section(page, 'Waiting for you (2)').waitFor();
  expect(await page.title()).toContain('(2)');
  expect(await inbox.getByRole('article').getByRole('heading').allInnerTexts()).toEqual([
    'Claude asks to use Bash',
    'Claude asks',
  ]);
  await inbox.getByRole('link', { name: 'docs · Write the guide' }).waitFor();
  // Both are at work too, and say that they wait.
  await row(section(page, 'Working (2)'), 'Clean up').getByText('waiting for you', { exact: true }).waitFor();

  const second = inbox.getByRole('article').filter({ hasText: 'Write the guide' });
  await second.getByText('Which section first?').waitFor();
  await second.getByRole('button', { name: 'Answer…' }).click();
  await second.getByRole('radio', { name: 'Usage' }).check();
  await press(second.getByRole('button', { name: 'Answer', exact: true }));
  await section(page, 'Waiting for you (1)').waitFor();
  await press(first.getByRole('button', { name: 'Allow once' }));
  await inbox.waitFor({ state: 'detached' });
  await row(section(page, 'Earlier (2)'), 'Clean up').getByText('The folder is clean.').waitFor();
  await row(section(page, 'Earlier (2)'), 'Write the guide').getByText('So be it.').waitFor();
  expect(answerIn(await place.heard())).toMatchObject({ behavior: 'allow' });
  expect(await page.title()).not.toContain('(');
});

browserTest('a whole row is one link; j, k and Enter go through them, and back leads to the same place', async () => {
  const place = createAgentsPlace();
  for (const prompt of ['One', 'Two', 'Three'])
    await past(place, prompt, [
      ['text', 'Said.'],
      ['result', 'Said.'],
    ]);
  const { page } = await open(place);
  await section(page, 'Earlier (3)').waitFor();
  const all = await titles(section(page, /^Earlier/));
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  expect(await page.evaluate('document.activeElement.innerText')).toBe(all[1]);
  await page.keyboard.press('k');
  expect(await page.evaluate('document.activeElement.innerText')).toBe(all[0]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: all[0] ?? '' }).waitFor();
  await page.goBack();
  const last = row(section(page, 'Earlier (3)'), all[2] ?? '');
  const box = await last.boundingBox();
  if (!box) throw new Error('it has no place');
  await page.mouse.click(box.x + box.width - 4, box.y + 4);
  await page.getByRole('heading', { level: 1, name: all[2] ?? '' }).waitFor();
});

browserTest('whoever presses a link gets there, whatever becomes of its row before the button is let go', async () => {
  const place = createAgentsPlace();
  const { page, served } = await open(place);
  const input = { command: 'npm run build' };
  await startRun(page, place, {
    prompt: 'Build it',
    steps: [
      ['await-file', place.file('go')],
      ['init'],
      ['prompt'],
      ['call', 'a', 'Bash', input],
      ['ask', 'a', 'Bash', input, []],
      ['until-stdin-ends'],
    ],
  });
  const beside = await page.context().newPage();
  await beside.goto(served.url);
  await page.getByRole('main').getByRole('link', { name: 'Build it' }).hover();
  await page.mouse.down();
  // The agent gives the session its name, and asks: on the other page all of it has moved.
  writeFileSync(place.file('go'), '');
  await section(beside, 'Waiting for you (1)').getByRole('link', { name: 'Build it' }).waitFor();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.mouse.up();
  await page.getByRole('heading', { level: 1, name: 'Build it' }).waitFor();
  await page.getByRole('heading', { name: 'Claude asks to use Bash' }).waitFor();
});
