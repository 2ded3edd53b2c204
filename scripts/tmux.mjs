// A terminal for the tests that need a real one: tmux, or Debian's where we may install it. Where none can be had it says so; those tests
// are then reported as skipped, and in CI they fail.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const isThere = () => spawnSync('tmux', ['-V']).status === 0;

if (!isThere() && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
  console.log('No tmux is there: installing Debian’s …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const words of [['update'], ['install', '-y', '--no-install-recommends', 'tmux']])
    spawnSync('apt-get', ['-qq', ...words], { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: 600_000 });
}
if (!isThere())
  console.error('No tmux is there, and none can be installed without root: tests in a terminal are left out.');
