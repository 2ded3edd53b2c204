// A real browser that has signed in to a real server over a store.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const command = fileURLToPath(new URL('../../packages/cli/dist/tailrace.js', import.meta.url));

/** `tailrace serve` over a data folder; gives its address and the code to sign in with. */
export async function startServer(folder) {
  const child = spawn(process.execPath, [command, 'serve', '--port', '0', '--no-open', '--no-watch'], {
    env: { ...process.env, TAILRACE_HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: where = '' } = await lines.next();
  const { value: code } = await lines.next();
  const url = /http:\S+/.exec(where)?.[0];
  if (url === undefined || code === undefined) throw new Error('the server did not start');
  return { url, code, stop: () => child.kill('SIGTERM') };
}

/** Undefined where there is no browser. */
export function findBrowser() {
  return [process.env['PLAYWRIGHT_CHROMIUM'], ...PLACES, chromium.executablePath()].find(
    (path) => path !== undefined && path !== '' && existsSync(path),
  );
}

export async function openSignedIn({ url, code }) {
  // Chromium has no sandbox for root.
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: findBrowser(), args: root });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('textbox').first().fill(code);
  await page.getByText('connected', { exact: true }).waitFor();
  return { browser, page };
}
