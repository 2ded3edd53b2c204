// node src/run.mjs --out DIR [--only name,name] [--small]
import { parseArgs } from 'node:util';
import { runScenario } from './runner/run-scenario.mjs';
import { scenarios } from './scenarios/index.mjs';

const atOnce = 2;

const { values } = parseArgs({
  options: { out: { type: 'string' }, only: { type: 'string' }, small: { type: 'boolean', default: false } },
});
if (!values.out) {
  console.error('usage: node src/run.mjs --out DIR [--only name,name] [--small]');
  process.exit(2);
}

const known = scenarios.map((make) => ({ make, ...pick(make()) }));
const wanted = values.only?.split(',');
const unknown = (wanted ?? []).filter((name) => !known.some((scenario) => scenario.name === name));
if (unknown.length) {
  console.error(`no such scenario: ${unknown.join(', ')}`);
  process.exit(2);
}
const queue = known.filter((scenario) => (wanted ? wanted.includes(scenario.name) : !values.small || scenario.small));

let passed = 0;
let failed = 0;
const worker = async () => {
  for (let scenario = queue.shift(); scenario; scenario = queue.shift()) {
    const began = Date.now();
    const problems = await runScenario(scenario.make, values.out).catch((error) => [error.stack]);
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    if (problems.length) failed += 1;
    else passed += 1;
    console.log(
      `${problems.length ? 'FAIL' : 'ok  '} ${scenario.name} (${seconds} s)${problems.map((problem) => `\n     ${problem}`).join('')}`,
    );
  }
};
await Promise.all(Array.from({ length: atOnce }, worker));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;

function pick({ name, small = false }) {
  return { name, small };
}
