// A person who has signed in, in a real browser.

import type { BrowserContext, Page } from 'playwright-core';
import type { Served } from '../../packages/cli/test/serve/served.ts';

/** Opens the page of a server under one of its names, and types the newest code. */
export async function signInPage(
  context: BrowserContext,
  served: Pick<Served, 'port' | 'codes'>,
  { host = '127.0.0.1', path = '/' }: { readonly host?: string; readonly path?: string } = {},
): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`http://${host}:${served.port}${path}`);
  await typeCode(page, served.codes().at(-1) ?? '');
  await connected(page);
  return page;
}

/** Types the code; a whole one is sent by itself. */
export async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Type the code' }).fill(code);
}

/** The page says that it is live. */
export async function connected(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('status').getByText('connected', { exact: true }).waitFor();
}

/** Whether the page still gets what is only for those who are signed in. */
export async function isSignedIn(page: Page): Promise<boolean> {
  return (
    (await page.evaluate(
      "fetch('/api/sessions', { headers: { 'x-tailrace-key': localStorage.getItem('tailrace-key') ?? '' } }).then((reply) => reply.status)",
    )) === 200
  );
}
