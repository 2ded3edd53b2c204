// How many lines a second the store acknowledges, against the least that SQLite needs for it.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { interleave, median, medianRatio, runChild } from '../rounds.mjs';

const LABELS = {
  bare: 'a bare prepared INSERT loop, same table, batch and sync',
  tailrace: '**Tailrace** `append`',
};

const BATCH = 100;

/** Further parts of the axis: each takes the options and gives rows and results. */
const parts = { append };

export async function store(options) {
  const entry = fileURLToPath(new URL('../../packages/store/dist/index.js', import.meta.url));
  if (!existsSync(entry)) throw new Error(`${entry} is missing: run npm run build first`);
  const [rows, results] = [[], {}];
  for (const [name, part] of Object.entries(parts)) {
    const measured = await part({ ...options, store: entry });
    rows.push(...measured.rows);
    results[name] = measured.results;
  }
  return { rows, results };
}

/** CPU time leaves out the waiting for the disk, which is the same for both and most of the whole; wall time has it. */
async function append({ rounds, quick, store: entry, log }) {
  const names = Object.keys(LABELS);
  const lines = quick ? 40_000 : 200_000;
  const results = await interleave(names, rounds, (contender) => {
    log(`store: ${contender}`);
    return runChild('store/child.mjs', { contender, lines, batch: BATCH, store: entry });
  });
  const cpu = (result) => result.lines / result.cpuMs;
  const wall = (result) => result.lines / result.wallMs;
  const rows = names.map((name) => ({
    axis: `store (lines of 150–350 B, acknowledged in batches of ${BATCH}, synchronous=FULL)`,
    what: LABELS[name],
    figure: `${Math.round(median(results[name].map(wall))).toLocaleString('en')}k lines/s`,
    limit: medianRatio(results, name, 'bare', cpu),
    limitWall: medianRatio(results, name, 'bare', wall),
    goals: name === 'tailrace' ? [{ of: 'limit', least: 0.7 }] : [],
  }));
  return { rows, results };
}
