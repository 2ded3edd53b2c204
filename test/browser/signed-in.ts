// A person who has signed in, in a real browser.

import type { BrowserContext, Page } from 'playwright-core';
import type { Served } from '../../packages/cli/test/serve/served.ts';

/** Opens the page of a server under one of its names, and types the newest code. */
export async function signInPage(context: BrowserContext, served: Served, host = '127.0.0.1'): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`http://${host}:${served.port}/`);
  await page.getByRole('textbox').fill(served.codes().at(-1) ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('#sessions').waitFor({ state: 'attached' });
  await page.locator('#home:not([hidden])').waitFor();
  return page;
}

/** Whether the page still gets what is only for those who are signed in. */
export async function isSignedIn(page: Page): Promise<boolean> {
  return (
    (await page.evaluate(
      "fetch('/api/sessions', { headers: { 'x-tailrace-key': localStorage.getItem('tailrace-key') ?? '' } }).then((reply) => reply.status)",
    )) === 200
  );
}
