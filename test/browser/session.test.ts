// A session's page over recorded sessions: what was said and done, what is beside it, and ways to one place in it.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { createPlace, serve } from '../../packages/cli/test/serve/served.ts';
import { browserTest, openBrowser } from './chromium.ts';
import { goToSession, openCall, openRecorded, rowWith, sessionOf, timeline } from './open-session.ts';
import { record, serveRecorded } from './recorded.ts';
import { signInPage } from './signed-in.ts';

browserTest('a command shows its exit code and what it printed; what failed is open by itself', async () => {
  const { page } = await openRecorded('demo');
  const failed = rowWith(page, 'exit 1').first();
  await failed.getByText('FAIL total of two items: expected 10, got 6').waitFor();
  expect(await failed.getByText('node cart.test.mjs').count()).toBeGreaterThan(0);
});

browserTest('a change is shown inline, and side by side', async () => {
  const { page } = await openRecorded('demo');
  const row = await openCall(page, /Edit.*cart\.mjs/);
  const table = row.getByRole('table', { name: /changes in .*cart\.mjs/ });
  await table.waitFor();
  const columns = (): Promise<number> => table.locator('tr').last().locator('td, th').count();
  const inline = await columns();
  await row.getByRole('button', { name: 'side by side' }).click();
  await row.getByRole('button', { name: 'inline', exact: true }).waitFor();
  expect(await columns()).toBeGreaterThan(inline);
  expect(await table.innerText()).toMatch(/let i = 1;.*let i = 0;/s);
});

browserTest('text is Markdown: what is bold is bold, what is code is code', async () => {
  const { page } = await openRecorded('demo');
  const row = rowWith(page, 'The test passes now.').first();
  await row.locator('code', { hasText: 'total()' }).waitFor();
  expect(await row.locator('strong').first().innerText()).toBe('1');
});

browserTest('each kind of call has its own view', async () => {
  const names = [
    'tools-grep-glob',
    'server-search-partial',
    'mcp-tools',
    'todo-write',
    'ask-user-question',
    'plan-mode',
    'image-read',
  ];
  const served = await serveRecorded(...names);
  const page = await signInPage(await openBrowser(), served);
  const go = (name: string): Promise<void> => goToSession(page, served, sessionOf(name));

  await go('tools-grep-glob');
  await (await openCall(page, /Grep.*TODO/))
    .getByText(/src\/\w+\.ts/)
    .first()
    .waitFor();

  await go('server-search-partial');
  await (await openCall(page, 'mill race')).getByRole('link').first().waitFor();

  await go('mcp-tools');
  const added = await openCall(page, 'calc · add');
  await added.getByText('42').first().waitFor();
  expect(await added.getByText('40').count()).toBeGreaterThan(0);

  await go('todo-write');
  const list = await openCall(page, /TodoWrite/);
  await list.getByText('Write tests').last().waitFor();
  expect(await list.getByRole('img').count()).toBeGreaterThan(1);

  await go('ask-user-question');
  const question = await openCall(page, 'Which colour?');
  await question.getByRole('img', { name: 'chosen', exact: true }).waitFor();
  await question.getByText('Blue').first().waitFor();

  await go('plan-mode');
  await rowWith(page, 'Write b.txt').getByRole('listitem').first().waitFor();

  await go('image-read');
  const image = (await openCall(page, 'dot.png')).locator('img');
  await image.waitFor();
  expect(await image.getAttribute('src')).toMatch(/^data:image\/png;base64,/);
  const width = await image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth);
  expect(width).toBeGreaterThan(0);
});

browserTest('reasoning is folded, and opens', async () => {
  const { page } = await openRecorded('thinking');
  const row = timeline(page).getByRole('article', { name: 'reasoning' }).first();
  const line = row.getByRole('button', { expanded: false }).first();
  await line.waitFor();
  const folded = (await row.innerText()).length;
  await line.click();
  await row.getByRole('button', { expanded: true }).first().waitFor();
  expect((await row.innerText()).length).toBeGreaterThan(folded);
});

browserTest(
  'what sub-agents did is nested, folded, and has its own cost; a link leads into the innermost',
  async () => {
    const { page, served } = await openRecorded('subagent-nested-three');
    await rowWith(page, 'Work of AGENT-A').first().waitFor();
    expect(await rowWith(page, 'echo bottom').count()).toBe(0);
    for (const name of ['AGENT-A', 'AGENT-B', 'AGENT-C']) {
      await rowWith(page, `Work of ${name}`).first().waitFor();
      await timeline(page)
        .getByRole('button', { name: /^Show its timeline/ })
        .last()
        .click();
    }
    const bottom = rowWith(page, 'echo bottom').first();
    await bottom.waitFor();
    const left = async (words: string): Promise<number> =>
      (await rowWith(page, words).first().getByRole('button').first().boundingBox())?.x ?? 0;
    expect(await left('echo bottom')).toBeGreaterThan(await left('Work of AGENT-A'));
    await page.getByRole('region', { name: 'Sub-agents' }).getByText('Work of AGENT-C').first().waitFor();
    expect(await page.getByRole('region', { name: 'Sub-agents' }).innerText()).toMatch(/\$|tok/);

    const key = await bottom.getAttribute('data-key');
    await goToSession(page, served, sessionOf('subagent-nested-three'), `?part=${encodeURIComponent(key ?? '')}`);
    const marked = timeline(page).locator('[aria-current=true]');
    await marked.getByText('echo bottom').first().waitFor();
    expect(await isInView(marked)).toBe(true);
  },
);

browserTest('a link to a part is copied, and opens there', async () => {
  const served = await serveRecorded('demo');
  const context = await openBrowser();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await signInPage(context, served);
  await goToSession(page, served, sessionOf('demo'));
  const row = rowWith(page, "I'll run the test first").first();
  await row.hover();
  await row.getByRole('button', { name: 'Copy a link to this' }).click();
  await page.getByText('The link is copied.').waitFor();
  const link = String(await page.evaluate('navigator.clipboard.readText()'));
  expect(link).toMatch(/\/sessions\/.*\?part=/);
  await page.goto(link);
  await timeline(page).locator('[aria-current=true]').getByText("I'll run the test first").waitFor();
});

browserTest('a copy button puts the text on the clipboard', async () => {
  const served = await serveRecorded('demo');
  const context = await openBrowser();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await signInPage(context, served);
  await goToSession(page, served, sessionOf('demo'));
  const row = rowWith(page, "I'll run the test first").first();
  await row.hover();
  await row
    .getByRole('button', { name: /^Copy(?! a link)/ })
    .first()
    .click();
  await row.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    "I'll run the test first, then look at what it tests.",
  );
});

browserTest(
  'beside it stand todos, files that lead to their change, what the context holds, and cost over time with its table',
  async () => {
    const { page } = await openRecorded('demo');
    const beside = page.getByRole('complementary', { name: 'About this session' });
    await beside.getByRole('region', { name: 'Todo' }).getByText('3/3').waitFor();
    const files = beside.getByRole('region', { name: 'Files' });
    await files.getByRole('button', { name: /cart\.mjs/ }).click();
    await timeline(page).locator('[aria-current=true]').getByText('cart.mjs').first().waitFor();
    await beside
      .getByRole('region', { name: 'Context' })
      .getByText(/^\d.* tok$/)
      .waitFor();
    const cost = beside.getByRole('region', { name: 'Cost' });
    await cost.getByRole('img', { name: /over time/ }).waitFor();
    await cost.getByRole('button', { name: 'Show as a table' }).click();
    expect(await cost.getByRole('table').getByRole('row').count()).toBeGreaterThan(2);
  },
);

browserTest('any event is there as JSON, with the line as it came', async () => {
  const { page } = await openRecorded('demo');
  await timeline(page).focus();
  await page.keyboard.press('r');
  const raw = page.getByRole('region', { name: 'Raw events' });
  await raw.getByRole('combobox', { name: 'Type of event' }).selectOption('tool-call-end');
  await raw.getByRole('listbox', { name: 'Events' }).getByRole('option').first().click();
  const one = raw.getByRole('region', { name: 'One event' });
  await one.getByText('"type": "tool-call-end"').first().waitFor();
  await one.getByText('"type":"user"').first().waitFor();
  await page.keyboard.press('Escape');
  await raw.waitFor({ state: 'detached' });
});

browserTest('what went wrong is told at its place, and counted', async () => {
  const cases = [
    ['api-retry', /again|retr/i, /\d+ retr/],
    ['compact-manual', /summar|compact/i],
    ['refusal-first-turn', 'refused to answer'],
    ['permission-denied', 'denied', /\d+ denial/],
    ['sigkill-cut-line', /cut|broke/i],
    ['unknown-block-partial', 'hologram'],
  ] as const;
  const served = await serveRecorded(...cases.map(([name]) => name));
  const page = await signInPage(await openBrowser(), served);
  for (const [name, words, count] of cases) {
    await goToSession(page, served, sessionOf(name));
    await rowWith(page, words).first().waitFor();
    if (count) await page.locator('main header').getByText(count).waitFor();
  }
});

browserTest('it is taken back to before a prompt: shown first, then done', async () => {
  const session = '11111111-2222-4333-8444-555555555555';
  const [first, second, answer] = [1, 2, 3].map((number) => `11111111-2222-4333-8444-00000000000${number}`);
  const place = createPlace();
  for (const name of ['a.txt', 'new.txt']) writeFileSync(join(place.project, name), 'now\n');
  const tail = { session_id: session };
  const user = (uuid: string | undefined, content: string): object => ({
    type: 'user',
    uuid,
    isReplay: true,
    message: { role: 'user', content },
    ...tail,
  });
  const lines = [
    { type: 'system', subtype: 'init', cwd: place.project, model: 'fake-1', tools: [], ...tail },
    user(first, 'First prompt'),
    user(second, 'Second prompt'),
    { type: 'result', subtype: 'success', is_error: false, result: 'ok', num_turns: 2, usage: {}, ...tail },
  ];
  await record(place, Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
  const kept = [
    {
      type: 'user',
      uuid: first,
      parentUuid: null,
      sessionId: session,
      message: { role: 'user', content: 'First prompt' },
    },
    {
      type: 'assistant',
      uuid: answer,
      parentUuid: first,
      sessionId: session,
      message: { role: 'assistant', content: [] },
    },
    {
      type: 'user',
      uuid: second,
      parentUuid: answer,
      sessionId: session,
      message: { role: 'user', content: 'Second prompt' },
    },
  ];
  const file = join(
    place.folder,
    'claude/projects',
    place.project.replaceAll(/[^A-Za-z0-9]/g, '-'),
    `${session}.jsonl`,
  );
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, kept.map((line) => `${JSON.stringify(line)}\n`).join(''));
  place.script([['rewinds', { [second ?? '']: { 'a.txt': 'then\n', 'new.txt': null } }]]);
  const served = await serve(place);
  const page = await signInPage(await openBrowser(), served);
  await goToSession(page, served, session);
  await page.getByRole('button', { name: 'rewind… to before: Second prompt' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rewind to before this prompt' });
  await dialog.getByText('a.txt').waitFor();
  await dialog.getByText('new.txt').waitFor();
  await dialog.getByRole('button', { name: /^Set back/ }).click();
  await dialog.getByText(/It is done/).waitFor();
  expect(readFileSync(join(place.project, 'a.txt'), 'utf8')).toBe('then\n');
  expect(existsSync(join(place.project, 'new.txt'))).toBe(false);
});

/** Whether a person sees it. */
async function isInView(place: ReturnType<typeof timeline>): Promise<boolean> {
  const [box, view] = [await place.boundingBox(), place.page().viewportSize()];
  return box !== null && view !== null && box.y >= 0 && box.y < view.height;
}
