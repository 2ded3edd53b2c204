// How fast events become what a person sees, and how that grows with the run: four times the events should take four times as
// long. An array that is copied at each event is there to show what it would be otherwise.

import { interleave, median, runChild } from '../rounds.mjs';

const AXIS = 'conversation (events → what a person sees)';
const [SMALL, LARGE] = [25_000, 100_000];

export async function conversation({ rounds, quick, core, log }) {
  const [warm, passes] = quick ? [2, 3] : [4, 5];
  const reduceRun = (contender, run, count) => {
    log(`conversation: ${contender}, ${run}, ${count} events`);
    // A pass of the naive one takes seconds, and nothing of it needs to be warm.
    const times = contender === 'naive' ? { warm: 1, passes: 1 } : { warm, passes };
    return runChild('conversation/child.mjs', { contender, run, count, core, ...times });
  };
  const measures = {
    capture: () => reduceRun('tailrace', 'capture', SMALL),
    tailrace: () => grow('tailrace'),
    naive: () => grow('naive'),
  };
  const grow = (contender) => {
    const small = reduceRun(contender, 'made', SMALL);
    const large = reduceRun(contender, 'made', LARGE);
    return { ...large, small, large, growth: large.cpu / small.cpu };
  };
  const results = await interleave(Object.keys(measures), rounds, (name) => measures[name]());
  const speed = (name) => {
    const middle = median(results[name].map(({ cpu }) => cpu));
    const rate = median(results[name].map(({ events, cpu }) => events / cpu));
    return `${middle.toFixed(0)} ms, ${rate.toFixed(0)} events/ms`;
  };
  const growthRow = (name, label, goals) => {
    const growth = median(results[name].map((result) => result.growth));
    const what = `${label}, time(${LARGE / 1000}k) / time(${SMALL / 1000}k)`;
    return { axis: AXIS, what, figure: `${growth.toFixed(1)}, ${speed(name)}`, growth, goals };
  };
  const rows = [
    {
      axis: AXIS,
      what: `**Tailrace**, the longest capture again and again, ${SMALL / 1000}k events`,
      figure: speed('capture'),
      goals: [],
    },
    growthRow('tailrace', '**Tailrace**', [{ of: 'growth', most: 5 }]),
    growthRow('naive', 'an array copied at each event', []),
  ];
  return { rows, results };
}
