// Reduces one run in a process of its own: `node child.mjs '{"contender":…,"run":…,"count":…,"warm":…,"passes":…,"core":…}'`.
// The first pass is checked, the warm ones let the compiler finish, the others count: the median of their times.

import { pathToFileURL } from 'node:url';
import { median } from '../rounds.mjs';
import { makeRun, repeatCapture } from './events.mjs';
import { createNaive, reduceNaive } from './naive.mjs';

const { contender, run, count, warm, passes, core } = JSON.parse(process.argv[2]);
const door = pathToFileURL(core);
const { createConversation } = await import(new URL('conversation/conversation.js', door));
const { reduce } = await import(new URL('conversation/reduce.js', door));
const { events, tally } = run === 'capture' ? repeatCapture((await import(door)).createDecoder, count) : makeRun(count);

const ways = {
  tailrace: () => events.reduce(reduce, createConversation()).parts.flat(),
  naive: () => events.reduce(reduceNaive, createNaive()).parts,
};

const { parts, ...first } = timed();
const answer = {
  parts: parts.length,
  textLength: parts.reduce((sum, part) => sum + (part.type === 'call' ? 0 : (part.text ?? '').length), 0),
};
for (const [name, value] of Object.entries(tally)) {
  if (answer[name] !== value) throw new Error(`${contender} made ${name} = ${answer[name]}, there are ${value}`);
}
for (let pass = 1; pass < warm; pass++) ways[contender]();
const times = [];
for (let pass = 0; pass < passes; pass++) times.push(timed());
const result = {
  cpu: median(times.map(({ cpu }) => cpu)),
  wall: median(times.map(({ wall }) => wall)),
  first: { cpu: first.cpu, wall: first.wall },
  events: events.length,
  parts: answer.parts,
};
process.stdout.write(`${JSON.stringify(result)}\n`);

function timed() {
  const cpuBefore = process.cpuUsage();
  const before = process.hrtime.bigint();
  const parts = ways[contender]();
  const wall = Number(process.hrtime.bigint() - before) / 1e6;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cpu: (user + system) / 1e3, wall, parts };
}
