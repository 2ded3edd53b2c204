// `tailrace demo` as somebody meets it who has just installed Tailrace: sign in, watch, answer, see it end.

import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { until } from '../../packages/cli/test/serve/served.ts';
import { press } from './agents.ts';
import { browserTest, openBrowser } from './chromium.ts';
import { signInPage } from './signed-in.ts';

const bin = fileURLToPath(new URL('../../packages/cli/dist/tailrace.js', import.meta.url));

/** Starts it, and waits until it listens. */
async function startDemo(speed: number): Promise<{ port: number; codes(): readonly string[] }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-demo-page-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const child = spawn(process.execPath, [bin, 'demo', '--no-open', '--port', '0', '--speed', String(speed)], {
    env: { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let text = '';
  child.stdout.on('data', (bytes: Buffer) => {
    text += bytes.toString();
  });
  const codes = (): readonly string[] => text.split('\n').slice(1, -1);
  await until(() => codes().length > 0);
  return { port: Number(/:(\d+)\n/.exec(text)?.[1]), codes };
}

browserTest('the demo: a live session is watched, what it asks is answered, it goes on and ends', async () => {
  const page = await signInPage(await openBrowser(), await startDemo(10));
  // Sessions of days before, by project.
  const earlier = page.getByRole('region', { name: /^Earlier/ });
  await earlier.getByRole('link', { name: 'Add a health check endpoint' }).waitFor();
  const inbox = page.getByRole('region', { name: /^Waiting for you/ });
  await inbox.getByText('rm -rf build/ && npm run build').waitFor();

  await page
    .getByRole('region', { name: /^Working/ })
    .getByRole('link', { name: 'Clean the build folder' })
    .click();
  await page.getByText('waiting for you', { exact: true }).first().waitFor();
  // The inbox that is just being left shows it, too.
  const asked = page.getByRole('feed', { name: 'Timeline' }).locator('article[data-request]');
  await press(asked.getByRole('button', { name: 'Allow once' }));
  await asked.waitFor({ state: 'detached' });
  await page.getByText('ended well', { exact: true }).first().waitFor();
  await page.getByText(/^done in /).waitFor();

  // Another one, as it happens: rows come by themselves.
  await page.getByRole('link', { name: 'All sessions' }).click();
  await page.getByRole('link', { name: 'Fix the flaky checkout test' }).click();
  const todo = page.getByRole('complementary', { name: 'About this session' }).getByText('3/3');
  await todo.waitFor();
  await page.getByText('The checkout test is stable now.').waitFor();
  await page
    .getByText(/^done in /)
    .last()
    .waitFor();

  await page.getByRole('link', { name: 'All sessions' }).click();
  await inbox.getByRole('button', { name: 'Answer…' }).click();
  await inbox.getByRole('radio', { name: 'npm' }).check();
  await press(inbox.getByRole('button', { name: 'Answer', exact: true }));
  await inbox.waitFor({ state: 'detached' });
  await expect.poll(() => page.title()).not.toContain('(');
});
