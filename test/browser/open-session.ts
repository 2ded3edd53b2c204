// A session's page, and what people do on it.

import type { Locator, Page } from 'playwright-core';
import type { Served } from '../../packages/cli/test/serve/served.ts';
import { openBrowser } from './chromium.ts';
import { fixtureLines, serveRecorded } from './recorded.ts';
import { signInPage } from './signed-in.ts';

/** Opens a recorded session in a browser of its own. */
export async function openRecorded(name: string): Promise<{ readonly served: Served; readonly page: Page }> {
  const served = await serveRecorded(name);
  const page = await signInPage(await openBrowser(), served);
  await goToSession(page, served, sessionOf(name));
  return { served, page };
}

export async function goToSession(page: Page, { url }: Pick<Served, 'url'>, id: string, more = ''): Promise<void> {
  await page.goto(`${url}/sessions/${id}${more}`);
  await wholeTimeline(page).waitFor();
}

/** The id that a recorded session has. */
export function sessionOf(name: string): string {
  const found = /"session_id":"([^"]+)"/.exec(fixtureLines(name).toString())?.[1];
  if (found === undefined) throw new Error(`${name} has no session`);
  return found;
}

export function timeline(page: Page): Locator {
  return page.getByRole('feed', { name: 'Timeline' });
}

/** The same when all of it is there, not only its end. */
export function wholeTimeline(page: Page): Locator {
  return timeline(page).and(page.locator('[aria-busy=false]'));
}

/** The row that has these words. */
export function rowWith(page: Page, words: string | RegExp): Locator {
  return timeline(page).getByRole('article').filter({ hasText: words });
}

/** Opens the call whose line has these words, and gives its row. */
export async function openCall(page: Page, words: string | RegExp): Promise<Locator> {
  const row = rowWith(page, words).first();
  const line = row.getByRole('button', { expanded: false }).first();
  await row.waitFor();
  if (await line.isVisible()) await line.click();
  return row;
}
