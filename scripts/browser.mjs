// A browser for the tests that need a real one: one that is there, else Playwright's, else Debian's where we may install it. Where none can
// be had it says so; those tests are then reported as skipped, and in CI they fail.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const isThere = () =>
  [process.env.PLAYWRIGHT_CHROMIUM, ...PLACES, chromium.executablePath()].some((path) => path && existsSync(path));

if (!isThere() && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
  console.log('No browser is there: installing Debian’s chromium …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const words of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']])
    spawnSync('apt-get', ['-qq', ...words], { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: 600_000 });
}
if (!isThere())
  console.error('No browser is there, and none can be installed without root: tests in a browser are left out.');
