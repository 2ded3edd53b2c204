// The most memory a process has while 200 MB go through it from a file.

import { fixture } from '../fixtures/write.mjs';
import { interleave, median, medianRatio, runChild } from '../rounds.mjs';

const LABELS = {
  node: 'Node itself',
  read: 'reading the file alone',
  readline: 'readline + `JSON.parse`',
  sdk: "the SDK's way",
  tailrace: '**Tailrace** → events',
};

export async function memory({ rounds, core, log }) {
  const { path, ...expected } = fixture('mixed');
  const names = Object.keys(LABELS);
  const peak = ({ megabytes }) => megabytes;
  const results = await interleave(names, rounds, (contender) => {
    log(`memory: ${contender}`);
    return runChild('memory/child.mjs', { contender, path, expected, core });
  });
  const rows = names.map((name) => ({
    axis: `memory (peak over ${Math.round(expected.bytes / 1e6)} MB)`,
    what: LABELS[name],
    figure: `${median(results[name].map(peak)).toFixed(0)} MB`,
    limit: medianRatio(results, name, 'node', peak),
    readline: medianRatio(results, name, 'readline', peak),
    goals: name === 'tailrace' ? [{ of: 'readline', most: 0.75 }] : [],
  }));
  return { rows, results };
}
