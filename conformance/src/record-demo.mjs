// node src/record-demo.mjs [--only name,name]
// Records the sessions of `tailrace demo` again: fixtures/demo/NAME.ndjson is what the program printed, NAME.stdin.ndjson what it was
// told, older/PROJECT/NAME.ndjson what it has kept itself. Takes as long as the sessions do.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { docs } from './demo/docs.mjs';
import { infra } from './demo/infra.mjs';
import { older } from './demo/older.mjs';
import { reports } from './demo/reports.mjs';
import { search } from './demo/search.mjs';
import { shopApi } from './demo/shop-api.mjs';
import { runScenario } from './runner/run-scenario.mjs';

const atOnce = 2;
const fixtures = fileURLToPath(new URL('../../fixtures/demo', import.meta.url));
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const wanted = values.only?.split(',');

if (!wanted) rmSync(fixtures, { recursive: true, force: true });
const out = mkdtempSync(join(tmpdir(), 'tailrace-record-'));
let failed = 0;
try {
  const all = [shopApi, ...infra, ...docs, reports, search, ...older].filter(
    (make) => wanted?.includes(make().name) ?? true,
  );
  const worker = async () => {
    for (let make = all.shift(); make; make = all.shift()) await record(make);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
} finally {
  rmSync(out, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

async function record(make) {
  const { name, project } = make();
  const problems = await runScenario(make, out).catch((error) => [error.stack]);
  console.log(`${problems.length ? 'FAIL' : 'ok  '} ${name}${problems.map((problem) => `\n     ${problem}`).join('')}`);
  if (problems.length) failed += 1;
  else if (project) keepSession(name, project);
  else keepStream(name);
}

function keepStream(name) {
  mkdirSync(fixtures, { recursive: true });
  for (const file of [`${name}.ndjson`, `${name}.stdin.ndjson`]) copyFileSync(join(out, file), join(fixtures, file));
}

function keepSession(name, project) {
  const folder = join(fixtures, 'older', project);
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(out, `${name}.transcript.jsonl`), join(folder, `${name.slice(`older-${project}-`.length)}.ndjson`));
}
