// One contender in a process of its own: `node child.mjs '{"contender":…,"path":…,"passes":…}'`. The first pass warms up and
// is checked; the others count. Prints one line of JSON.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { contenders } from './contenders.mjs';

const { contender, path, expected, passes, chunk, core, peers } = JSON.parse(process.argv[2]);
const tools = { chunk };
if (contender.startsWith('tailrace')) tools.createDecoder = (await import(pathToFileURL(core))).createDecoder;
if (contender === 'split2') tools.split2 = (await import(pathToFileURL(`${peers}/node_modules/split2/index.js`))).default;

const run = contenders[contender].prepare(readFileSync(path), tools);
const answer = await run();
for (const [name, value] of Object.entries(answer)) {
  if (expected[name] !== undefined && expected[name] !== value) {
    throw new Error(`${contender} found ${name} = ${value} in ${path}, which has ${expected[name]}`);
  }
}
if (answer.lines !== expected.lines) throw new Error(`${contender} read ${answer.lines} of ${expected.lines} lines`);

const cpuBefore = process.cpuUsage();
const before = process.hrtime.bigint();
for (let pass = 0; pass < passes; pass++) await run();
const wall = Number(process.hrtime.bigint() - before) / 1e6 / passes;
const { user, system } = process.cpuUsage(cpuBefore);
process.stdout.write(`${JSON.stringify({ wall, cpu: (user + system) / 1e3 / passes, answer })}\n`);
