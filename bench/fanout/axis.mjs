// One stream to many clients at once: what it takes the server, against one send for each message and client.

import { fileURLToPath } from 'node:url';
import { interleave, median, medianRatio, runChild } from '../rounds.mjs';

const LABELS = {
  ws: '`ws`, one send for each message',
  bare: 'bare sockets, one write for each burst',
  tailrace: '**Tailrace**, from what is told to the sockets',
  whole: '**Tailrace**, from the append of a line to the sockets: kept on the disk, folded, told',
};

const BURST = 16;
const SUBSCRIBERS = 200;

export async function fanout({ rounds, quick, log }) {
  const names = Object.keys(LABELS);
  const bursts = quick ? 60 : 300;
  const packages = fileURLToPath(new URL('../../packages/', import.meta.url));
  const results = await interleave(names, rounds, (contender) => {
    log(`fanout: ${contender}`);
    return runChild('fanout/child.mjs', { contender, bursts, burst: BURST, subscribers: SUBSCRIBERS, packages });
  });
  const cpu = (result) => 1 / result.cpuMs;
  const wall = (result) => 1 / result.wallMs;
  const rows = names.map((name) => ({
    axis: `fan-out (bursts of ${BURST} events, ${SUBSCRIBERS} subscribers)`,
    what: LABELS[name],
    figure: `${(median(results[name].map(({ cpuMs }) => cpuMs)) / bursts).toFixed(2)} ms of CPU for a burst`,
    ws: medianRatio(results, name, 'ws', cpu),
    limit: medianRatio(results, name, 'bare', cpu),
    limitWall: medianRatio(results, name, 'bare', wall),
    goals: name === 'tailrace' ? [{ of: 'ws', least: 4 }] : [],
  }));
  for (const row of rows) row.figure += `, ${row.ws.toFixed(2)}× ws`;
  return { rows: [...rows, ...(await manySubscribers({ quick, log, packages }))], results };
}

/** Nothing may be missing; how late it comes is counted over every message of every subscriber. */
async function manySubscribers({ quick, log, packages }) {
  log('fanout: 1,000 subscribers');
  const seconds = quick ? 5 : 30;
  const result = runChild('fanout/many.mjs', { subscribers: 1000, perSecond: 10, seconds, packages });
  return [
    {
      axis: `fan-out (1,000 subscribers, 10 events a second, ${seconds} s)`,
      what: '**Tailrace**, from the append of a line to its arrival, p99',
      figure: `${result.p99.toFixed(0)} ms, median ${result.p50.toFixed(0)} ms, ${result.received.toLocaleString('en')} of ${result.expected.toLocaleString('en')} arrived`,
      milliseconds: result.p99,
      goals: [{ of: 'milliseconds', most: 250 }],
      missing: result.expected - result.received,
    },
    {
      axis: `fan-out (1,000 subscribers, 10 events a second, ${seconds} s)`,
      what: 'messages that did not arrive, or not in order',
      figure: `${result.expected - result.received + result.disordered}`,
      count: result.expected - result.received + result.disordered,
      goals: [{ of: 'count', most: 0 }],
    },
  ];
}
