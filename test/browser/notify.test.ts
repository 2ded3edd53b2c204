// Notifications: for whoever switched them on, of what is not on the screen.

import { writeFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Served, serve, until } from '../../packages/cli/test/serve/served.ts';
import { type AgentsPlace, createAgentsPlace, startRun } from './agents.ts';
import { browserTest, openBrowser } from './chromium.ts';
import { connected, signInPage } from './signed-in.ts';

interface Said {
  readonly title: string;
  readonly body: string;
}

/** A browser that writes down what it is told to show. */
async function openNotified(permission: 'granted' | 'denied'): Promise<BrowserContext> {
  const context = await openBrowser();
  if (permission === 'granted') await context.grantPermissions(['notifications']);
  await context.addInitScript(`
    window.said = [];
    window.asked = 0;
    window.Notification = class {
      static get permission() {
        return localStorage.getItem('permission') ?? 'default';
      }
      static async requestPermission() {
        window.asked++;
        localStorage.setItem('permission', '${permission}');
        return '${permission}';
      }
      constructor(title, { body }) {
        window.said.push({ title, body });
        window.lastNotification = this;
      }
      close() {}
    };
  `);
  return context;
}

async function open(permission: 'granted' | 'denied'): Promise<{ page: Page; place: AgentsPlace; served: Served }> {
  const place = createAgentsPlace();
  const served = await serve(place);
  const page = await signInPage(await openNotified(permission), served, { path: '/settings' });
  expect(await page.evaluate('window.asked')).toBe(0);
  await page.getByRole('switch', { name: 'Notifications' }).click();
  await until(async () => (await page.evaluate('window.asked')) === 1);
  return { page, place, served };
}

const saidOn = (page: Page): Promise<readonly Said[]> => page.evaluate('window.said');
const look = (page: Page, isLooking: boolean): Promise<unknown> =>
  page.evaluate(`document.hasFocus = () => ${isLooking}`);

browserTest(
  'a run that waits, and one that ends, are said to whoever looks elsewhere; a click leads there',
  async () => {
    const { page, place } = await open('granted');
    await look(page, false);
    const go = place.file('go');
    await startRun(page, place, {
      prompt: 'Clean up',
      steps: [['init'], ['prompt'], ['ask', 'a', 'Bash', { command: 'rm x' }], ['result']],
    });
    await until(async () => (await saidOn(page)).length === 1);
    expect(await saidOn(page)).toEqual([{ title: 'work: Clean up', body: 'It waits for your answer.' }]);
    await until(async () => (await page.title()).startsWith('(1) '));
    await page.evaluate('window.lastNotification.onclick()');
    await page.waitForURL(/\/sessions\//);
    await page.goto(`${new URL(page.url()).origin}/settings`);
    await connected(page);
    await look(page, false);
    await startRun(page, place, {
      prompt: 'Run the tests',
      steps: [['init'], ['prompt'], ['text', 'Hm.'], ['await-file', go], ['result']],
    });
    writeFileSync(go, '');
    await until(async () => (await saidOn(page)).some(({ title }) => title === 'work: Run the tests'));
    // It is idle before it has ended; which of the two the page hears first is a matter of moments.
    const body = expect.stringMatching(/^It (is done|ended well)\.$/);
    expect(await saidOn(page)).toEqual([{ title: 'work: Run the tests', body }]);
  },
);

browserTest('what is on the screen is not said, and on another page it is a note', async () => {
  const { page, place, served } = await open('granted');
  await look(page, true);
  const asks = { steps: [['init'], ['prompt'], ['ask', 'a', 'Bash', { command: 'rm x' }], ['result']] } as const;
  await startRun(page, place, { prompt: 'Clean up', ...asks });
  const note = page.getByRole('status').filter({ hasText: 'work: Clean up: It waits for your answer.' });
  await note.getByRole('button', { name: 'Open' }).click();
  await page.waitForURL(/\/sessions\//);
  await page.goto(served.url);
  await connected(page);
  await look(page, true);
  await startRun(page, place, { prompt: 'Again', ...asks });
  await page.getByRole('region', { name: 'Waiting for you (2)' }).waitFor();
  expect(await saidOn(page)).toEqual([]);
  expect(await page.getByText('It waits for your answer.').count()).toBe(0);
});

browserTest('where the browser does not allow it, the settings say so, and the page itself tells', async () => {
  const { page, place } = await open('denied');
  await page.getByText('The browser does not allow them for this page').waitFor();
  await look(page, false);
  await startRun(page, place, {
    prompt: 'Clean up',
    steps: [['init'], ['prompt'], ['ask', 'a', 'Bash', { command: 'rm x' }], ['result']],
  });
  await page.getByText('work: Clean up: It waits for your answer.').waitFor();
  expect(await saidOn(page)).toEqual([]);
});

browserTest('nobody who did not switch it on is asked or told', async () => {
  const place = createAgentsPlace();
  const page = await signInPage(await openNotified('granted'), await serve(place), { path: '/about' });
  await look(page, false);
  await startRun(page, place, {
    prompt: 'Clean up',
    steps: [['init'], ['prompt'], ['ask', 'a', 'Bash', { command: 'rm x' }], ['result']],
  });
  await until(async () => (await page.title()).startsWith('(1)'));
  expect(await page.evaluate('[window.asked, window.said]')).toEqual([0, []]);
  expect(await page.getByText('It waits for your answer.').count()).toBe(0);
});
