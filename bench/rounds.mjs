// How everything here is measured: a fresh process per contender, all contenders in turn, round after round, and the median
// of the ratios within a round. Neighbours on a shared machine then disturb all contenders alike.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a script of this folder in a process of its own and reads the one line of JSON that it prints. */
export function runChild(script, spec, nodeFlags = []) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const output = execFileSync(process.execPath, [...nodeFlags, path, JSON.stringify(spec)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(output);
}

/** The results of every name, one per round. `measure` may be asynchronous. */
export async function interleave(names, rounds, measure) {
  const results = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    // Whoever comes first in one round comes last in the next, so that nobody always follows the same neighbour.
    const order = round % 2 === 0 ? names : [...names].reverse();
    for (const name of order) results[name].push(await measure(name));
  }
  return results;
}

/** The median over the rounds of `of(a) / of(b)`. */
export function medianRatio(results, a, b, of) {
  return median(results[a].map((result, round) => of(result) / of(results[b][round])));
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
