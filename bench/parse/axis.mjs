// Speed on whole streams: small lines, tool lines, lines of megabytes, and one single line in small chunks.

import { fixture } from '../fixtures/write.mjs';
import { interleave, median, medianRatio, runChild } from '../rounds.mjs';

const LABELS = {
  strings: '`JSON.parse` over ready strings',
  bytes: '`JSON.parse` from contiguous bytes',
  readline: 'readline + `JSON.parse`',
  split2: 'split2 + `JSON.parse`',
  sdk: "the SDK's way",
  tailrace: '**Tailrace**, stream → events',
  'tailrace-sync': '**Tailrace**, loop → events',
};

/** Passes before the clock counts. Tool lines are few and take many paths: the compiler needs more of them to finish. */
const WARM = { chat: 5, tools: 15, huge: 5 };

const cpu = (result) => result.cpu;
const wall = (result) => result.wall;

/** An axis over one fixture. `limit` names the contender that counts as 1; goals are on CPU time, higher is better. */
function shapeAxis(shape, limit, goals) {
  return async ({ rounds, quick, core, peers, log }) => {
    const { path, ...expected } = fixture(shape);
    const names = Object.keys(LABELS).filter((name) => name !== 'split2' || peers);
    const results = await interleave(names, rounds, (contender) => {
      log(`${shape}: ${contender}`);
      // Quadratic on long lines: one pass tells enough.
      const isSlow = shape === 'huge' && contender === 'split2';
      const [warm, passes] = isSlow ? [1, 1] : quick ? [Math.ceil(WARM[shape] / 2), 3] : [WARM[shape], 5];
      return runChild('parse/child.mjs', { contender, path, expected, warm, passes, core, peers });
    });
    const rows = names.map((name) => {
      const middle = (of) => median(results[name].map(of)).toFixed(0);
      const speed = (other, of) => medianRatio(results, other, name, of);
      return {
        axis: `${shape} (${Math.round(expected.bytes / 1e6)} MB, ${expected.lines} lines)`,
        what: LABELS[name],
        figure: `${middle(cpu)} ms, first pass ${middle(({ first }) => first.cpu)} ms`,
        limit: speed(limit, cpu),
        limitWall: speed(limit, wall),
        readline: speed('readline', cpu),
        readlineWall: speed('readline', wall),
        goals: name === 'tailrace' ? goals : [],
      };
    });
    return { rows, results };
  };
}

export const chat = shapeAxis('chat', 'strings', [
  { of: 'limit', least: 0.75 },
  { of: 'readline', least: 1.5 },
]);
export const tools = shapeAxis('tools', 'bytes', [
  { of: 'limit', least: 0.85 },
  { of: 'readline', least: 1.9 },
]);
export const huge = shapeAxis('huge', 'strings', [{ of: 'readline', least: 1.1 }]);

/** How the time grows when the line does: four times the bytes should take four times as long. */
export async function single({ rounds, quick, core, peers, log }) {
  const runs = {
    bytes: ['single-16', 'single-64'],
    readline: ['single-16', 'single-64'],
    // Quadratic: 64 MB would take minutes, so it is measured from 1 to 4 MB.
    ...(peers && { split2: ['single-1', 'single-4'] }),
    tailrace: ['single-16', 'single-64'],
    'tailrace-sync': ['single-16', 'single-64'],
  };
  const results = await interleave(Object.keys(runs), rounds, (contender) => {
    const [small, large] = runs[contender].map((name) => {
      log(`${name}: ${contender}`);
      const { path, ...expected } = fixture(name);
      const [warm, passes] = quick ? [1, 1] : [2, 3];
      return runChild('parse/child.mjs', { contender, path, expected, warm, passes, chunk: 4096, core, peers });
    });
    return { small, large, growth: large.cpu / small.cpu, cpu: large.cpu, wall: large.wall };
  });
  const rows = Object.keys(runs).map((name) => {
    const isCapped = name === 'split2';
    const growth = median(results[name].map((result) => result.growth));
    return {
      axis: 'single (one line in 4 KB chunks)',
      what: `${LABELS[name]}, ${isCapped ? 'time(4 MB) / time(1 MB), capped' : 'time(64 MB) / time(16 MB)'}`,
      figure: `${growth.toFixed(1)}, ${median(results[name].map(cpu)).toFixed(0)} ms`,
      growth,
      ...(!isCapped && {
        limit: medianRatio(results, 'bytes', name, cpu),
        limitWall: medianRatio(results, 'bytes', name, wall),
        readline: medianRatio(results, 'readline', name, cpu),
        readlineWall: medianRatio(results, 'readline', name, wall),
      }),
      goals: name === 'tailrace' ? [{ of: 'growth', most: 6 }] : [],
    };
  });
  return { rows, results };
}
