// What some tests need beside Node: a browser, a terminal, shells. One that is there, else (for a browser) Playwright's, else Debian's where
// we may install it. Where one cannot be had it says so; those tests are then reported as skipped, and in CI they fail.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const hasBrowser = () =>
  [process.env.PLAYWRIGHT_CHROMIUM, ...BROWSERS, chromium.executablePath()].some((path) => path && existsSync(path));
const runs = (program, word) => () => spawnSync(program, [word]).status === 0;

const PROGRAMS = [
  { name: 'chromium', isThere: hasBrowser, tests: 'tests in a browser' },
  { name: 'tmux', isThere: runs('tmux', '-V'), tests: 'tests in a terminal' },
  { name: 'zsh', isThere: runs('zsh', '--version'), tests: 'the test of its completion' },
  { name: 'fish', isThere: runs('fish', '--version'), tests: 'the test of its completion' },
];
const missing = () => PROGRAMS.filter(({ isThere }) => !isThere());

const wanted = missing().map(({ name }) => name);
if (wanted.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
  console.log(`Installing Debian’s ${wanted.join(', ')}, which some tests need …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const words of [['update'], ['install', '-y', '--no-install-recommends', ...wanted]])
    spawnSync('apt-get', ['-qq', ...words], { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: 600_000 });
}
for (const { name, tests } of missing())
  console.error(`There is no ${name}, and none can be installed without root. Left out: ${tests}.`);
