// How long a small line takes from its chunk's arrival until the host has it.

import { fixture } from '../fixtures/write.mjs';
import { interleave, median, medianRatio, runChild } from '../rounds.mjs';

const LABELS = {
  stream: 'the stream alone',
  readline: 'readline + `JSON.parse`',
  sdk: "the SDK's way",
  tailrace: '**Tailrace** → events',
};

/** The goal is on what comes through a socket; the reader's own share is shown beside it. */
export async function latency(options) {
  const socket = await measure(options, 'socket', 'latency (p50 of one delta, through a socket)', [
    { of: 'readline', most: 1.1 },
  ]);
  const memory = await measure(options, 'memory', 'latency (the same without the kernel)', []);
  return { rows: [...socket.rows, ...memory.rows], results: { socket: socket.results, memory: memory.results } };
}

async function measure({ rounds, quick, core, log }, over, axis, goals) {
  const { path } = fixture('chat');
  const [warm, count] = quick ? [5000, 5000] : [20000, 20000];
  const names = Object.keys(LABELS);
  const half = ({ p50 }) => p50;
  const most = ({ p99 }) => p99;
  const results = await interleave(names, rounds, (contender) => {
    log(`latency: ${contender} over ${over}`);
    return runChild('latency/child.mjs', { contender, over, path, warm, count, core });
  });
  const rows = names.map((name) => ({
    axis,
    what: LABELS[name],
    figure: `${median(results[name].map(half)).toFixed(1)} µs, p99 ${median(results[name].map(most)).toFixed(1)} µs`,
    limit: medianRatio(results, name, 'stream', half),
    readline: medianRatio(results, name, 'readline', half),
    goals: name === 'tailrace' ? goals : [],
  }));
  return { rows, results };
}
