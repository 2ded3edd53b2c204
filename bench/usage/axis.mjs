// What a gigabyte of session files has cost: how long it takes to tell, against ccusage. Both as they are
// installed, from the command's start to its end. The ratio is of CPU time, since neighbours disturb wall time, which is told beside it;
// the files are in the memory of the system, as they are for whoever asks twice. The answers are compared before the clock counts.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleave, median, medianRatio } from '../rounds.mjs';
import { installCcusage } from './peer.mjs';
import { usageTree } from './tree.mjs';

const command = fileURLToPath(new URL('../../packages/cli/dist/tailrace.js', import.meta.url));
const MEGABYTE = 1_000_000;

export async function usage({ rounds, quick, log }) {
  log('usage: making the tree');
  const tree = usageTree((quick ? 200 : 1000) * MEGABYTE);
  const ccusage = installCcusage();
  const home = mkdtempSync(join(tmpdir(), 'tailrace-bench-'));
  const env = { ...process.env, HOME: home, CLAUDE_CONFIG_DIR: tree.folder, TAILRACE_HOME: join(home, 'data') };
  const words = [command, 'usage', '--json', '--timezone', 'UTC', '--dir', tree.folder];
  const asked = ['daily', '--json', '--offline', '--timezone', 'UTC'];
  const ways = {
    ...(ccusage && {
      ccusage: [process.execPath, [ccusage.command, ...asked]],
      'ccusage alone': [ccusage.program, asked],
    }),
    cold: [process.execPath, [...words, '--no-cache']],
    warm: [process.execPath, words],
  };
  const run = (name) => {
    log(`usage: ${name}`);
    const [program, args] = ways[name];
    const [before, cpuBefore] = [process.hrtime.bigint(), childrenCpu()];
    const output = execFileSync(program, args, { env, encoding: 'utf8', maxBuffer: 64 * MEGABYTE });
    return { seconds: Number(process.hrtime.bigint() - before) / 1e9, cpu: childrenCpu() - cpuBefore, output };
  };
  try {
    // The first warm run fills the cache.
    for (const name of [...Object.keys(ways), 'warm']) check(name, JSON.parse(run(name).output), tree);
    if (ccusage) compare(JSON.parse(run('ccusage').output), JSON.parse(run('cold').output));
    const results = await interleave(Object.keys(ways), rounds, (name) => {
      const { seconds, cpu } = run(name);
      return { seconds, cpu };
    });
    return { rows: rowsOf(results, tree, ccusage !== undefined), results };
  } finally {
    rmSync(home, { recursive: true });
  }
}

function rowsOf(results, tree, hasPeer) {
  const axis = `usage (${Math.round(tree.bytes / MEGABYTE)} MB)`;
  const seconds = (result) => result.seconds;
  const figure = (name) => `${median(results[name].map(seconds)).toFixed(2)} s`;
  const ratio = (value) => (hasPeer ? medianRatio(results, 'ccusage', 'cold', value) : undefined);
  const [faster, fasterWall] = [ratio(({ cpu }) => cpu), ratio(seconds)];
  return [
    ...(hasPeer
      ? [
          { axis, what: 'ccusage 20.0.24, as npm installs it', figure: figure('ccusage'), goals: [] },
          { axis, what: 'the program that it starts', figure: figure('ccusage alone'), goals: [] },
        ]
      : []),
    {
      axis,
      what: `**\`tailrace usage\`**, nothing kept${hasPeer ? `: ${faster.toFixed(2)}× as fast as ccusage, ${fasterWall.toFixed(2)}× in wall time` : ''}`,
      figure: figure('cold'),
      ccusage: faster,
      goals: hasPeer ? [{ of: 'ccusage', least: 1.3 }] : [],
    },
    {
      axis,
      what: '**`tailrace usage`**, the second time',
      figure: figure('warm'),
      goals: [],
    },
  ];
}

/** CPU seconds of all programs that have been started from here and have ended, with their own children. */
function childrenCpu() {
  const TICKS = 100;
  // The name in brackets may hold anything: fields are counted behind it.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}

/** Every token that the generator counted, and no other. */
function check(name, { totals }, tree) {
  const read = totals.cacheReadTokens;
  const write = totals.cacheWriteTokens ?? totals.cacheCreationTokens;
  const found = {
    // ccusage leaves the caches out of the input.
    inputTokens: name.startsWith('ccusage') ? totals.inputTokens + read + write : totals.inputTokens,
    cacheReadTokens: read,
    cacheWriteTokens: write,
    outputTokens: totals.outputTokens,
  };
  for (const [kind, count] of Object.entries(found))
    if (count !== tree[kind]) throw new Error(`${name} counts ${count} ${kind}, there are ${tree[kind]}`);
}

/** Day by day and model by model the same tokens, and the same cost to 1e-6 USD. */
function compare(theirs, ours) {
  const days = new Map(ours.rows.map((row) => [row.key, row]));
  for (const day of theirs.daily) {
    const row = days.get(day.period ?? day.date);
    if (!row || row.outputTokens !== day.outputTokens || row.cacheReadTokens !== day.cacheReadTokens)
      throw new Error(`${day.period}: other tokens than ccusage`);
    if (Math.abs(row.costUsd - day.totalCost) > 1e-6)
      throw new Error(`${day.period}: ${row.costUsd} USD, and ccusage says ${day.totalCost}`);
  }
  if (theirs.daily.length !== ours.rows.length) throw new Error('other days than ccusage');
}
