// A real browser for the tests: one that is there, else Playwright's own. Where there is none, the tests that need it are skipped, and
// the report counts them; in CI nothing is skipped, so they fail.

import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { afterAll, onTestFinished, test } from 'vitest';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const program: string | undefined = [process.env['PLAYWRIGHT_CHROMIUM'], ...PLACES, chromium.executablePath()].find(
  (path) => path !== undefined && path !== '' && existsSync(path),
);

/** A test that needs the browser. */
export const browserTest: typeof test = (
  program === undefined && process.env['CI'] !== 'true' ? test.skip : test
) as typeof test;

/** A name that leads to this machine, as one does after DNS rebinding. */
export const REBOUND = 'rebound.example';

/** So long something may take to come, on a machine where others are at work: whoever waits longer waits in vain. */
const WAIT_MS = 120_000;

let browser: Promise<Browser> | undefined;
afterAll(async () => (await browser)?.close());

/** A person's browser with nothing in it yet. */
export async function openBrowser(): Promise<BrowserContext> {
  browser ??= launch();
  const context = await (await browser).newContext();
  context.setDefaultTimeout(WAIT_MS);
  onTestFinished(() => context.close());
  return context;
}

async function launch(): Promise<Browser> {
  if (program === undefined) throw new Error('there is no Chromium: install one, or name it with PLAYWRIGHT_CHROMIUM');
  // Chromium has no sandbox for root.
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  // Newer ones keep pages from elsewhere out of this machine by themselves. Not every browser does, and the server is to hold alone.
  const open = '--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets';
  return chromium.launch({
    executablePath: program,
    args: [...root, open, `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`],
  });
}
