// The settings as a person meets them, and what they do.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { send } from '../../packages/cli/test/serve/person.ts';
import { createPlace, serve, until } from '../../packages/cli/test/serve/served.ts';
import { startRun } from './agents.ts';
import { browserTest, openBrowser } from './chromium.ts';
import { connected, signInPage } from './signed-in.ts';
import { expectUsable } from './usable.ts';

browserTest('theme and density hold at once, and when the page is loaded again', async () => {
  const page = await signInPage(await openBrowser(), await serve(), { path: '/settings' });
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.getByText('Dark', { exact: true }).click();
  await page.getByText('Compact', { exact: true }).click();
  const root = page.locator('html[data-theme=dark][data-density=compact]');
  await root.waitFor();
  await page.reload();
  await root.waitFor();
  await connected(page);
  await page.getByText('Comfortable', { exact: true }).click();
  await page.locator('html:not([data-density])').waitFor();
  await expectUsable(page, 'settings');
});

browserTest(
  '[T-28] secrets are marks on the screen until that is switched off, and what waits is never redacted',
  async () => {
    const secret = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;
    const place = createPlace();
    const served = await serve(place);
    const page = await signInPage(await openBrowser(), served);
    await startRun(page, place, {
      prompt: `Use ${secret}`,
      steps: [
        ['init'],
        ['prompt'],
        ['text', `I use ${secret} now.`],
        ['call', 'a', 'Bash', { command: `echo ${secret}` }],
        ['ask', 'a', 'Bash', { command: `echo ${secret}` }],
        ['until-stdin-ends'],
      ],
    });
    const inbox = page.getByRole('region', { name: 'Waiting for you (1)' });
    await inbox.getByText(`echo ${secret}`).waitFor();
    await inbox.getByText('It is not redacted here: you see what you allow.').waitFor();
    const working = page.getByRole('region', { name: 'Working (1)' });
    await working.getByText('[redacted: github-token, 40 characters]').first().waitFor();
    expect(await working.textContent()).not.toContain(secret);
    expect(await page.title()).not.toContain(secret);
    await working.getByRole('link').first().click();
    const said = page.getByText('I use [redacted: github-token, 40 characters] now.');
    await said.waitFor();
    await page.getByRole('button', { name: 'show what was redacted' }).first().click();
    await page.getByText(`I use ${secret} now.`).waitFor();
    await page.goto(`${served.url}/settings`);
    await page.getByRole('switch', { name: 'Redact secrets' }).click();
    await page.goto(served.url);
    await working.getByText(`Use ${secret}`, { exact: true }).waitFor();
  },
);

browserTest('how long sessions are kept is written into the settings of the machine, and asked twice', async () => {
  const place = createPlace();
  const page = await signInPage(await openBrowser(), await serve(place), { path: '/settings' });
  const file = join(place.home, 'config.json');
  writeFileSync(file, JSON.stringify({ timeZone: 'Europe/Zurich' }));
  await page.getByText('For some days').click();
  await page.getByRole('textbox', { name: 'Days' }).fill('soon');
  await page.getByText('That is no number of days.').waitFor();
  await page.getByRole('textbox', { name: 'Days' }).fill('30');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Forget what is older than 30 days?' }).click();
  await page.getByRole('button', { name: /Save|Forget/ }).waitFor({ state: 'detached' });
  await until(() => readFileSync(file, 'utf8').includes('30'));
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ timeZone: 'Europe/Zurich', retentionDays: 30 });
  await page.getByText('All', { exact: true }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ timeZone: 'Europe/Zurich' });
});

browserTest('a program gets a token once, with what was ticked and no more, and is taken away', async () => {
  const served = await serve();
  const page = await signInPage(await openBrowser(), served, { path: '/settings' });
  const form = page.getByRole('form', { name: 'New program' });
  for (const right of ['read', 'run', 'answer'])
    expect(await form.getByRole('checkbox', { name: new RegExp(`^${right} `) }).isChecked()).toBe(false);
  await form.getByRole('textbox', { name: 'Name of a program' }).fill('<b>ci</b>');
  await form.getByRole('checkbox', { name: /^read / }).check();
  await form.getByRole('button', { name: 'Make a token' }).click();
  const token = await page.getByText(/^tailrace_[\w-]+$/).textContent();
  await page.getByRole('button', { name: 'Copy the token' }).waitFor();
  const asProgram = (path: string, body?: unknown): Promise<{ readonly status: number }> =>
    send(served.port, path, { authorization: `Bearer ${token}` }, body);
  expect((await asProgram('/api/sessions')).status).toBe(200);
  expect((await asProgram('/api/runs', { project: 'x', prompt: 'x' })).status).toBe(403);
  expect((await asProgram('/api/settings')).status).toBe(403);
  await page.getByRole('button', { name: 'I have it' }).click();
  await page.getByText(token ?? '').waitFor({ state: 'detached' });
  await page.reload();
  const row = page.getByRole('listitem').filter({ hasText: '<b>ci</b>' });
  await row.getByText('read', { exact: true }).waitFor();
  expect(await page.content()).not.toContain(token);
  await expectUsable(page, 'settings with a program');
  await row.getByRole('button', { name: 'Remove' }).click();
  expect((await asProgram('/api/sessions')).status).toBe(200);
  await row.getByRole('button', { name: 'Really remove?' }).click();
  await row.waitFor({ state: 'detached' });
  expect((await asProgram('/api/sessions')).status).toBe(401);
});

browserTest('about tells versions, and how the history is doing', async () => {
  const page = await signInPage(await openBrowser(), await serve(), { path: '/about' });
  const history = page.getByRole('region', { name: 'History' });
  await history.getByText('It is well.').waitFor();
  expect(await history.textContent()).toMatch(/Sessions0Lines0 of 0 streams.*Size on the disk[\d.]+ kB/);
  await page.getByRole('region', { name: 'Versions' }).getByText('of the same protocol').waitFor();
  await expectUsable(page, 'about');
});
