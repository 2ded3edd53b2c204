// How long the command takes until it has said something, against Node doing nothing.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fixture } from '../fixtures/write.mjs';
import { interleave, median, medianRatio } from '../rounds.mjs';

const command = fileURLToPath(new URL('../../packages/cli/dist/tailrace.js', import.meta.url));

export async function startup({ rounds, quick, log }) {
  const { path } = fixture('small');
  const input = readFileSync(path);
  // As long as that of a call with its output.
  const payload = JSON.stringify({ session_id: 'bench', hook_event_name: 'Notification', message: 'x'.repeat(4000) });
  const home = mkdtempSync(join(tmpdir(), 'tailrace-bench-'));
  const ways = {
    node: { label: '`node -e 0`', run: () => untilExit(['-e', '0']) },
    help: { label: '`tailrace --help`', most: 1.3, run: () => untilExit([command, '--help']) },
    pipe: {
      label: 'a pipe into `tailrace`, until its first line',
      most: 1.6,
      run: () => untilFirstLine([command], input),
    },
    hook: {
      label: '`tailrace hook`, until it has kept a payload',
      most: 1.5,
      run: () => untilExit([command, 'hook'], { input: payload, env: { TAILRACE_HOME: home } }),
    },
    summary: { label: '`tailrace summary` of a small file', run: () => untilExit([command, 'summary', path]) },
  };
  const names = Object.keys(ways);
  const time = (ms) => ms;
  log('startup');
  const results = await interleave(names, quick ? 5 : Math.max(15, rounds), (name) => ways[name].run());
  rmSync(home, { recursive: true });
  const rows = names.map((name) => ({
    axis: 'start-up',
    what: ways[name].label,
    figure: `${median(results[name]).toFixed(0)} ms`,
    limit: medianRatio(results, name, 'node', time),
    goals: ways[name].most ? [{ of: 'limit', most: ways[name].most }] : [],
  }));
  return { rows, results };
}

async function untilExit(words, { input, env } = {}) {
  const before = process.hrtime.bigint();
  const child = spawn(process.execPath, words, {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  });
  child.stdin?.end(input);
  const [code] = await once(child, 'exit');
  const time = Number(process.hrtime.bigint() - before) / 1e6;
  if (code !== 0) throw new Error(`node ${words.join(' ')} ended with ${code}`);
  return time;
}

/** The agent is still running: its pipe stays open while the clock runs. */
async function untilFirstLine(words, input) {
  const before = process.hrtime.bigint();
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(input);
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (printed.includes('\n')) break;
  }
  const time = Number(process.hrtime.bigint() - before) / 1e6;
  if (!printed.includes('\n')) throw new Error(`node ${words.join(' ')} printed no line`);
  child.stdin.on('error', () => {});
  const exit = once(child, 'exit');
  child.kill();
  await exit;
  return time;
}
