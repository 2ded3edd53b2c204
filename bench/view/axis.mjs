// The full-screen view over a long session, in a terminal of its own: from a key to the screen that it leads to.

import { fileURLToPath } from 'node:url';
import { median, runChild } from '../rounds.mjs';

const EVENTS = 100_000;
const KEY_MS = 100;

export async function view({ quick, log }) {
  const packages = fileURLToPath(new URL('../../packages/', import.meta.url));
  const events = quick ? EVENTS / 10 : EVENTS;
  log(`view: ${events.toLocaleString('en')} events`);
  const results = runChild('view/child.mjs', { events, packages });
  const axis = `view (one session of ${results.events.toLocaleString('en')} events, ${results.columns} × ${results.rows})`;
  const all = Object.values(results.keys).flat();
  const key = median(all);
  const slowest = Object.entries(results.keys)
    .map(([name, times]) => `${name} ${median(times).toFixed(0)}`)
    .join(', ');
  return {
    results,
    rows: [
      {
        axis,
        what: '**Tailrace**, from a key to the redrawn screen',
        figure: `${key.toFixed(1)} ms in the median, ${percentile(all, 0.95).toFixed(0)} ms at p95 of ${all.length} keys (${slowest})`,
        milliseconds: key,
        goals: [{ of: 'milliseconds', most: KEY_MS }],
      },
      {
        axis,
        what: '**Tailrace**, from Enter in the list until the last row is seen, and until all of it is there',
        figure: `${Math.round(results.openedMs)} ms and ${Math.round(results.wholeMs)} ms`,
        milliseconds: results.openedMs,
        goals: [],
      },
      {
        axis,
        what: '**Tailrace**, from the start of the command to the list',
        figure: `${Math.round(results.startedMs)} ms, ${results.load.toFixed(1)} processes at work before it began`,
        milliseconds: results.startedMs,
        goals: [],
      },
    ],
  };
}

function percentile(numbers, share) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0;
}
