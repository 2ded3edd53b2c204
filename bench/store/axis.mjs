// How many lines a second the store acknowledges, against the least that SQLite needs for it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fixture, scratch } from '../fixtures/write.mjs';
import { interleave, median, medianRatio, runChild } from '../rounds.mjs';

const LABELS = {
  bare: 'a bare prepared INSERT loop, same table, batch and sync',
  tailrace: '**Tailrace** `append`',
};

const BATCH = 100;

/** Further parts of the axis: each takes the options and gives rows and results. */
const parts = { append, project, queries };

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

/** Small lines are pieces of a chat, tool lines have 1 to 100 kB; both are folded, written and indexed. */
async function project({ rounds, quick, store: entry, log }) {
  const kinds = {
    chat: { least: 10_000, lines: quick ? 20_000 : 100_000 },
    tools: { least: 2_000, lines: quick ? 500 : 2_000 },
  };
  const files = Object.fromEntries(Object.keys(kinds).map((name) => [name, fixture(name)]));
  const results = await interleave(Object.keys(kinds), rounds, (name) => {
    log(`store: history of ${name}`);
    return runChild('store/project.mjs', { path: files[name].path, lines: kinds[name].lines, store: entry });
  });
  const rows = Object.entries(kinds).map(([name, { least }]) => {
    const perSecond = Math.round(median(results[name].map((result) => (1000 * result.lines) / result.wallMs)));
    return {
      axis: `store: history and index of ${name === 'chat' ? 'small lines' : 'tool lines'}`,
      what: '**Tailrace** `catchUp`',
      figure: `${perSecond.toLocaleString('en')} lines/s`,
      linesPerSecond: perSecond,
      goals: [{ of: 'linesPerSecond', least }],
    };
  });
  return { rows, results };
}

/** What is asked of 10,000 sessions with a million lines. */
async function queries({ rounds, quick, store: entry, log }) {
  log('store: questions');
  const sessions = quick ? 500 : 10_000;
  const file = join(scratch, `store-${sessions}`, 'tailrace.db');
  const result = runChild('store/queries.mjs', { file, sessions, store: entry, repeats: Math.max(3, rounds) });
  const rows = Object.entries(result.times).map(([name, ms]) => ({
    axis: `store: ${sessions.toLocaleString('en')} sessions, ${(100 * sessions).toLocaleString('en')} lines`,
    what: `**Tailrace** ${name}`,
    figure: `${ms.toFixed(1)} ms`,
    milliseconds: ms,
    goals: [{ of: 'milliseconds', most: 100 }],
  }));
  return { rows, results: result };
}
