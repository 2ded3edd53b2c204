// Finding, in a real browser: words in everything, the place they stand at, and the palette that leads everywhere.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserTest, openBrowser } from './chromium.ts';
import { serveRecorded, sessionIds } from './recorded.ts';
import { signInPage } from './signed-in.ts';
import { expectUsable } from './usable.ts';

async function open(path: string): Promise<Page> {
  const served = await serveRecorded('demo', 'ask-user-question', 'api-retry');
  return signInPage(await openBrowser(), served, { path });
}

const places = (page: Page) => page.getByRole('list', { name: 'Places' }).getByRole('listitem');

browserTest('words are found as they are typed, stand out, and are narrowed by kind', async () => {
  const page = await open('/search');
  await page.getByRole('searchbox', { name: 'Search everything' }).fill('test');
  await places(page).first().waitFor();
  const marks = await places(page).locator('mark').allInnerTexts();
  expect(new Set(marks.map((mark) => mark.toLowerCase()))).toEqual(new Set(['test']));
  await page.waitForURL(/words=test/);
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('command');
  await page.waitForURL(/kind=command/);
  await page.getByRole('list', { name: 'Places' }).getByText('node cart.').first().waitFor();
  // What was found before stands there until the answer comes.
  const others = () => places(page).filter({ hasNotText: /^command/ });
  await expect.poll(() => others().count()).toBe(0);
});

browserTest('an answer leads to its place in the session', async () => {
  const page = await open('/search');
  await page.getByRole('searchbox', { name: 'Search everything' }).fill('never counted');
  const place = page.getByRole('link', { name: /never counted/ });
  await place.click();
  await page.waitForURL(/\/sessions\/.+position=\d+/);
  const row = page.getByRole('feed').getByRole('article').filter({ hasText: 'was never counted' });
  await row.first().waitFor();
  await expect.poll(async () => (await row.first().boundingBox())?.y ?? -1).toBeGreaterThan(0);
  expect((await row.first().boundingBox())?.y).toBeLessThan(page.viewportSize()?.height ?? 0);
});

browserTest('a command leads to its call', async () => {
  const page = await open('/search?words=cart.test.mjs&kind=command');
  await page.getByRole('list', { name: 'Places' }).getByRole('link').first().click();
  await page.waitForURL(/\/sessions\/.+part=call/);
  await page.getByRole('feed').getByText('node cart.test.mjs').first().waitFor();
});

browserTest('only one session, and all again', async () => {
  const page = await open('/search?words=the');
  await places(page).first().waitFor();
  await page.getByRole('button', { name: 'only this session' }).first().click();
  await page.waitForURL(/session=/);
  await page.getByRole('button', { name: 'Search in all sessions' }).click();
  await expect.poll(() => page.url()).not.toContain('session=');
  await page.getByRole('searchbox', { name: 'Search everything' }).fill('walrus');
  await page.getByText('Nothing was found').waitFor();
});

browserTest('the search is usable: axe, both themes, a phone', async () => {
  const page = await open('/search?words=the');
  await places(page).first().waitFor();
  await expectUsable(page, 'search');
});

browserTest('Ctrl-K opens the palette, which finds a session and a page', async () => {
  const page = await open('/');
  const ids = await sessionIds(page);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Go to' });
  const field = palette.getByRole('combobox', { name: 'Go to' });
  await field.waitFor();
  await field.and(page.locator(':focus')).waitFor();
  await palette
    .getByRole('option', { name: /Session / })
    .first()
    .waitFor();
  await expectUsable(page, 'the palette');
  await field.pressSequentially('usag');
  await palette.getByRole('option', { name: 'Usage' }).waitFor();
  await palette.getByRole('option', { name: 'Usage', selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/usage/);
  await palette.waitFor({ state: 'detached' });

  await page.keyboard.press('Control+k');
  await field.fill('item first test passes');
  await palette
    .getByRole('option', { name: /Session / })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/sessions\//);
  expect(ids).toContain(decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? ''));

  await page.keyboard.press('Control+k');
  await field.fill('dark');
  await palette.getByRole('option', { name: 'Dark theme', selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate("document.documentElement.dataset['theme']")).toBe('dark');
});
