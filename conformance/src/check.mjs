// node src/check.mjs DIR [--only name,name]
// Holds what the built command says about captures against what is true about them.
import { parseArgs } from 'node:util';
import { checkCapture } from './check/capture.mjs';
import { captureNames } from './check/story.mjs';

const atOnce = 2;

const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true });
const [folder] = positionals;
if (!folder || positionals.length > 1) {
  console.error('usage: node src/check.mjs DIR [--only name,name]');
  process.exit(2);
}
const wanted = values.only?.split(',');
const queue = captureNames(folder).filter((name) => wanted?.includes(name) ?? true);
// An empty folder proves nothing, so it is no success.
if (!queue.length) {
  console.error(`no captures in ${folder}`);
  process.exit(1);
}

let passed = 0;
let failed = 0;
const worker = async () => {
  for (let name = queue.shift(); name; name = queue.shift()) {
    const problems = await checkCapture(folder, name).catch((error) => [`the check itself failed: ${error.stack}`]);
    if (problems.length) failed += 1;
    else passed += 1;
    for (const problem of problems) console.log(`${name}: ${problem}`);
  }
};
await Promise.all(Array.from({ length: atOnce }, worker));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
