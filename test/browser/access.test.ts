// For everybody: by keys, on a phone, in light and dark, without motion, and with a screen reader, as far as axe can tell.

import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { call, fixtures } from '../../packages/cli/test/command.ts';
import { type Served, type Step, serve } from '../../packages/cli/test/serve/served.ts';
import { type AgentsPlace, createAgentsPlace, startRun } from './agents.ts';
import { browserTest, openBrowser } from './chromium.ts';
import { connected, signInPage, typeCode } from './signed-in.ts';
import { expectAccessible } from './usable.ts';

const ASKS: readonly Step[] = [
  ['init'],
  ['prompt'],
  ['text', 'I clean up first.'],
  ['call', 'a', 'Bash', { command: 'rm -rf build/' }],
  [
    'ask',
    'a',
    'Bash',
    { command: 'rm -rf build/', description: 'Clean' },
    [{ type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow' }],
  ],
  ['until-stdin-ends'],
];

const WORKS: readonly Step[] = [
  ['init'],
  ['prompt'],
  ['text', 'I look at it.'],
  ['call', 'b', 'Bash', { command: 'npm test' }],
  ['until-stdin-ends'],
];

/** What an agent printed before, in the history. */
async function record(place: AgentsPlace, fixture: string): Promise<void> {
  const input = [readFileSync(`${fixtures}${fixture}.ndjson`)];
  expect((await call(['--record'], { env: place.env, input })).code).toBe(0);
}

/** A home with something in each of its parts. */
async function fullHome(): Promise<{ page: Page; served: Served; place: AgentsPlace }> {
  const place = createAgentsPlace();
  place.addProject('docs');
  await record(place, 'demo');
  await record(place, 'api-error-400');
  const served = await serve(place);
  const page = await signInPage(await openBrowser(), served);
  await startRun(page, place, { prompt: 'Clean up', steps: ASKS });
  await startRun(page, place, { prompt: 'Run the tests', steps: WORKS, project: 'docs' });
  await page.getByRole('region', { name: 'Waiting for you (1)' }).waitFor();
  await page.getByRole('region', { name: 'Working (2)' }).getByText('I look at it.').waitFor();
  return { page, served, place };
}

/** The session that was recorded. */
async function toRecorded(page: Page): Promise<void> {
  await page
    .getByRole('region', { name: /^Earlier/ })
    .locator('a[data-row]')
    .last()
    .click();
  await page
    .getByRole('complementary', { name: 'About this session' })
    .or(page.getByRole('navigation', { name: 'About this session' }))
    .waitFor();
  await page.locator('article[data-index]').first().waitFor();
}

// ── Axe ───────────────────────────────────────────────────────────────────────────────────────────

browserTest('axe finds nothing on any page and dialog, in light and dark', async () => {
  const empty = await serve(createAgentsPlace());
  const first = await (await openBrowser()).newPage();
  await first.goto(empty.url);
  await first.getByRole('heading', { name: 'Sign in' }).waitFor();
  await expectAccessible(first, 'sign-in');
  await typeCode(first, '22222222');
  await first.getByRole('alert').waitFor();
  await expectAccessible(first, 'sign-in with a wrong code');
  await typeCode(first, empty.codes()[0] ?? '');
  await first.getByText('There is no session yet').waitFor();
  await expectAccessible(first, 'home, empty');
  await first.goto(`${empty.url}/nowhere`);
  await first.getByText('There is nothing here').waitFor();
  await expectAccessible(first, 'not found');

  const { page, served } = await fullHome();
  await expectAccessible(page, 'home, full');
  await page.getByRole('button', { name: 'Other answers' }).click();
  await page.getByRole('menu').waitFor();
  await expectAccessible(page, 'menu');
  await page.getByRole('menuitem', { name: 'Edit the input…' }).click();
  await page.getByRole('textbox', { name: /It runs with this input/ }).waitFor();
  await expectAccessible(page, 'inbox card, editing');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Keys', exact: true }).click();
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await expectAccessible(page, 'keys');
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').fill('nothing is like this');
  await page.getByText('No session fits').waitFor();
  await expectAccessible(page, 'home, nothing found');
  await page.getByRole('button', { name: 'Show all sessions' }).click();

  await toRecorded(page);
  await expectAccessible(page, 'session');
  const folds = page.locator('article[data-index] button[aria-expanded=false]');
  for (let count = 0; count < 40 && (await folds.count()) > 0; count++) await folds.first().click();
  await expectAccessible(page, 'session, opened');
  await page.keyboard.press('r');
  await page.getByRole('button', { name: 'Back to the timeline' }).waitFor();
  await expectAccessible(page, 'raw view');
  await page.getByRole('listbox', { name: 'Events' }).getByRole('option').first().click();
  await page.getByRole('region', { name: 'One event' }).waitFor();
  await expectAccessible(page, 'raw view, one event');
  await page.getByRole('button', { name: 'Back to the timeline' }).click();
  await page.keyboard.press('/');
  await expectAccessible(page, 'find bar');
  await page.goto(served.url);
  await page
    .getByRole('region', { name: /^Working/ })
    .getByRole('link', { name: 'Clean up' })
    .click();
  await page.locator('article[data-request]').waitFor();
  await expectAccessible(page, 'session that waits');
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Really stop?' }).click();
  await page.getByRole('button', { name: /^rewind… to before/ }).click();
  await page.getByRole('dialog').waitFor();
  await expectAccessible(page, 'rewind dialog');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, 'session on a phone');
  await page.getByRole('navigation', { name: 'About this session' }).getByRole('button').first().click();
  await expectAccessible(page, 'panel on a phone');
  await page.goto(served.url);
  await page.getByRole('region', { name: /^Working/ }).waitFor();
  await expectAccessible(page, 'home on a phone');
  served.child.kill('SIGTERM');
  await served.ended;
  await page.getByRole('button', { name: 'Try again now' }).waitFor();
  await expectAccessible(page, 'disconnected');
});

// ── Light, dark, motion ───────────────────────────────────────────────────────────────────────────

/** How light the page is, from 0 to 1. */
const lightness = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const context = document.createElement('canvas').getContext('2d');
    context.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    return (red + green + blue) / 3 / 255;
  })()`);

browserTest('light, dark, or like the system; the choice stays, also in another tab', async () => {
  const context = await openBrowser();
  const page = await signInPage(context, await serve());
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await lightness(page)).toBeGreaterThan(0.9);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await lightness(page)).toBeLessThan(0.3);
  const choose = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: /^Theme/ }).click();
    await page.getByRole('menuitemradio', { name }).click();
  };
  await choose('Light');
  expect(await lightness(page)).toBeGreaterThan(0.9);
  const other = await context.newPage();
  await other.emulateMedia({ colorScheme: 'dark' });
  await other.goto(page.url());
  await connected(other);
  expect(await lightness(other)).toBeGreaterThan(0.9);
  await choose('Dark');
  await expect.poll(() => lightness(other)).toBeLessThan(0.3);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.reload();
  expect(await lightness(page)).toBeLessThan(0.3);
  await connected(page);
  await choose('Like the system');
  expect(await lightness(page)).toBeGreaterThan(0.9);
});

browserTest('whoever wants no motion sees none', async () => {
  const { page } = await fullHome();
  const running = (): Promise<number> =>
    page.evaluate("document.getAnimations().filter(({ playState }) => playState === 'running').length");
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect.poll(running).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await running()).toBe(0);
  await page.getByRole('button', { name: 'Keys', exact: true }).click();
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  expect(await running()).toBe(0);
  await page.keyboard.press('Escape');
  await page
    .getByRole('region', { name: /^Working/ })
    .getByRole('link', { name: 'Run the tests' })
    .click();
  await page.getByText('npm test').first().waitFor();
  expect(await running()).toBe(0);
});

// ── Keys ──────────────────────────────────────────────────────────────────────────────────────────

/** The name of what has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(
    "(({ ariaLabel, innerText, id }) => ariaLabel ?? (innerText?.trim().split('\\n')[0] || id))(document.activeElement)",
  );

browserTest('Tab goes in the order of what is seen, and everything has a ring', async () => {
  const { page } = await fullHome();
  await page.reload();
  await page.getByRole('region', { name: 'Waiting for you (1)' }).waitFor();
  const seen: string[] = [];
  const rings: boolean[] = [];
  const walk = async (key: string, count: number): Promise<void> => {
    for (let step = 0; step < count; step++) {
      await page.keyboard.press(key);
      seen.push(await focused(page));
      rings.push(
        await page.evaluate(`(() => {
          const own = document.activeElement;
          const has = (element) => getComputedStyle(element).outlineStyle !== 'none';
          return has(own) || has(own.closest('.group\\\\/row') ?? own);
        })()`),
      );
    }
  };
  // The content has the focus when the page is opened; the header stands before it.
  const header = ['Skip to the content', 'Tailrace', 'Find sessions', 'Theme: system', 'Keys', 'More'];
  while (seen.at(-1) !== header[0]) await walk('Shift+Tab', 1);
  expect(seen.reverse().filter((name) => header.includes(name))).toEqual(header);
  await page.keyboard.press('Enter');
  seen.length = 0;
  await walk('Tab', 8);
  expect(seen).toEqual([
    'work · Clean up',
    'The whole input',
    'Deny',
    'Allow once',
    'Allow always',
    'Other answers',
    expect.stringMatching(/Run the tests|Clean up/),
    expect.stringMatching(/Run the tests|Clean up/),
  ]);
  expect(rings).not.toContain(false);
});

browserTest('all of it by keys: the list of keys, the inbox, an answer, a session, its panels, and back', async () => {
  const { page } = await fullHome();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keys' });
  for (const words of ['next session', 'answer what waits', 'show the keys'])
    await dialog.getByText(words, { exact: true }).waitFor();
  // The focus stays in it.
  for (let count = 0; count < 3; count++) await page.keyboard.press('Tab');
  expect(await dialog.evaluate((element) => element.matches(':focus-within'))).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await page.keyboard.press('a');
  expect(await page.evaluate("document.activeElement.hasAttribute('data-request')")).toBe(true);
  // No button has it: nothing is answered by accident.
  await page.keyboard.press('Enter');
  expect(await page.getByText('Your answer is on its way.').count()).toBe(0);
  const deny = page.getByRole('button', { name: 'Deny', exact: true });
  while (!(await deny.evaluate((element) => element.matches(':focus')))) await page.keyboard.press('Tab');
  await expect
    .poll(async () => {
      if ((await deny.count()) > 0) await page.keyboard.press('Enter');
      return deny.count();
    })
    .toBe(0);
  // Whoever answered is still there.
  await page.keyboard.press('g');
  await page.keyboard.press('g');
  await expect.poll(() => focused(page)).toMatch(/Clean up|Run the tests/);

  await page.keyboard.press('/');
  expect(await page.getByRole('searchbox').evaluate((element) => element.matches(':focus'))).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('G');
  await expect.poll(() => page.evaluate("document.activeElement.hasAttribute('data-row')")).toBe(true);
  await page.keyboard.press('Enter');
  await page.locator('article[data-index]').first().waitFor();
  await page.keyboard.press('?');
  for (const words of ['pause', 'raw events', 'files', 'sub-agents', 'to the end, and follow', 'open or fold'])
    await page.getByRole('dialog', { name: 'Keys' }).getByText(words, { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('g');
  await page.keyboard.press('j');
  await expect.poll(() => page.locator('article[data-index]:focus').count()).toBe(1);
  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate("document.activeElement.closest('aside') !== null")).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: /^Earlier/ }).waitFor();
});

// ── Phone ─────────────────────────────────────────────────────────────────────────────────────────

/** What reaches out of the screen, and cannot be scrolled to inside a box of its own. */
const tooWide = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll('body *')].filter((element) => {
    const { right, left, width } = element.getBoundingClientRect();
    if (width === 0 || (right <= innerWidth + 0.5 && left >= -0.5)) return false;
    for (let box = element.parentElement; box; box = box.parentElement)
      if (getComputedStyle(box).overflowX !== 'visible' && box.getBoundingClientRect().right <= innerWidth + 0.5) return false;
    // What is there for screen readers alone is cut to nothing.
    return getComputedStyle(element).clipPath === 'none';
  }).map((element) => element.tagName + ' ' + element.className).slice(0, 5)`);

for (const width of [390, 320])
  browserTest(
    `a phone of ${width} px: nothing is wider than the screen, the inbox is first, thumbs find the buttons`,
    async () => {
      const { page } = await fullHome();
      await page.setViewportSize({ width, height: 844 });
      const top = async (place: Locator): Promise<number> => (await place.boundingBox())?.y ?? Number.NaN;
      const [inbox, working, earlier] = ['Waiting for you', 'Working', 'Earlier'].map((name) =>
        page.getByRole('region', { name: new RegExp(`^${name}`) }),
      );
      if (!inbox || !working || !earlier) throw new Error('there are three');
      expect(await top(inbox)).toBeLessThan(await top(working));
      expect(await top(working)).toBeLessThan(await top(earlier));
      expect(await tooWide(page)).toEqual([]);
      for (const name of ['Deny', 'Allow once', 'Allow always']) {
        const box = await inbox.getByRole('button', { name, exact: true }).boundingBox();
        expect(box?.height, name).toBeGreaterThanOrEqual(44);
      }
      await toRecorded(page);
      expect(await tooWide(page)).toEqual([]);
      const tabs = page.getByRole('navigation', { name: 'About this session' });
      await tabs.getByRole('button', { name: 'Files' }).click();
      await page.getByRole('region', { name: 'Files' }).waitFor();
      expect(await tooWide(page)).toEqual([]);
      await tabs.getByRole('button', { name: 'Files' }).click();
      await page.getByRole('link', { name: 'All sessions' }).click();
      await working.getByRole('link', { name: 'Clean up' }).click();
      await page.locator('article[data-request]').waitFor();
      expect(await tooWide(page)).toEqual([]);
      await page.getByRole('button', { name: 'Stop' }).waitFor();
    },
  );
