// One contender in a process of its own: `node child.mjs '{"contender":…,"path":…,"warm":…,"passes":…}'`. The first pass is
// checked, the warm ones let the compiler finish, the others count: the median of their times. Prints one line of JSON.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { median } from '../rounds.mjs';
import { contenders } from './contenders.mjs';

const { contender, path, expected, warm, passes, chunk, core, peers } = JSON.parse(process.argv[2]);
const tools = { chunk };
if (contender.startsWith('tailrace')) tools.createDecoder = (await import(pathToFileURL(core))).createDecoder;
if (contender === 'split2')
  tools.split2 = (await import(pathToFileURL(`${peers}/node_modules/split2/index.js`))).default;

const run = contenders[contender].prepare(readFileSync(path), tools);
const { answer, ...first } = await timed();
for (const [name, value] of Object.entries(answer)) {
  if (expected[name] !== undefined && expected[name] !== value) {
    throw new Error(`${contender} found ${name} = ${value} in ${path}, which has ${expected[name]}`);
  }
}
for (let pass = 1; pass < warm; pass++) await run();
const times = [];
for (let pass = 0; pass < passes; pass++) times.push(await timed());
const result = {
  cpu: median(times.map(({ cpu }) => cpu)),
  wall: median(times.map(({ wall }) => wall)),
  first,
  answer,
};
process.stdout.write(`${JSON.stringify(result)}\n`);

async function timed() {
  const cpuBefore = process.cpuUsage();
  const before = process.hrtime.bigint();
  const answer = await run();
  const wall = Number(process.hrtime.bigint() - before) / 1e6;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cpu: (user + system) / 1e3, wall, answer };
}
