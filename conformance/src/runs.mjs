// node src/runs.mjs [--only name,name]: the runner against the real program.
import { parseArgs } from 'node:util';
import { runs } from './runs/index.mjs';
import { playRun } from './stage/stage.mjs';

const atOnce = 2;

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const known = runs.map((make) => ({ make, name: make().name }));
const wanted = values.only?.split(',');
const unknown = (wanted ?? []).filter((name) => !known.some((scenario) => scenario.name === name));
if (unknown.length) {
  console.error(`no such scenario: ${unknown.join(', ')}`);
  process.exit(2);
}
const queue = known.filter(({ name }) => !wanted || wanted.includes(name));

let passed = 0;
let failed = 0;
const worker = async () => {
  for (let scenario = queue.shift(); scenario; scenario = queue.shift()) {
    const began = Date.now();
    const faults = await playRun(scenario.make).catch((error) => [error.stack]);
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    if (faults.length) failed += 1;
    else passed += 1;
    console.log(
      `${faults.length ? 'FAIL' : 'ok  '} ${scenario.name} (${seconds} s)${faults.map((fault) => `\n     ${fault}`).join('')}`,
    );
  }
};
await Promise.all(Array.from({ length: atOnce }, worker));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
