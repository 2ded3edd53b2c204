// How long the server takes for what the pages of usage and search ask, with 10,000 sessions in the store.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scratch } from '../fixtures/write.mjs';
import { median, runChild } from '../rounds.mjs';

const ANSWER_MS = 300;

export async function pages({ rounds, quick, log }) {
  log('pages: a large store');
  const sessions = quick ? 500 : 10_000;
  const packages = fileURLToPath(new URL('../../packages/', import.meta.url));
  const file = join(scratch, `store-${sessions}`, 'tailrace.db');
  const result = runChild('pages/child.mjs', { file, sessions, packages, repeats: Math.max(5, rounds) });
  const axis = `pages (${sessions.toLocaleString('en')} sessions, ${result.entries.toLocaleString('en')} answers, over HTTP)`;
  const rows = Object.entries(result.times).map(([name, { first, later, cpuMs }]) => {
    const ms = median(later);
    return {
      axis,
      what: `**Tailrace** ${name}`,
      figure: `${Math.round(ms)} ms (${Math.round(cpuMs)} ms of CPU time, the one who asks included); the first time ${Math.round(first)} ms`,
      milliseconds: ms,
      goals: [{ of: 'milliseconds', most: ANSWER_MS }],
    };
  });
  return { rows, results: result };
}
