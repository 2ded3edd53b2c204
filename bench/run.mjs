// Measures Tailrace against its goals: `node bench/run.mjs [axis…] [--rounds N] [--quick] [--full] [--json FILE] [--core FILE]`.
// A missed goal is printed, not an error. See README.md for what is measured and how.

import { existsSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { conversation } from './conversation/axis.mjs';
import { fanout } from './fanout/axis.mjs';
import { latency } from './latency/axis.mjs';
import { memory } from './memory/axis.mjs';
import { page } from './page/axis.mjs';
import { pages } from './pages/axis.mjs';
import { chat, huge, single, tools } from './parse/axis.mjs';
import { installPeers } from './peers.mjs';
import { printer } from './printer/axis.mjs';
import { soak } from './soak/axis.mjs';
import { startup } from './startup/axis.mjs';
import { store } from './store/axis.mjs';
import { closingLine, judge, renderTable } from './table.mjs';
import { usage } from './usage/axis.mjs';
import { view } from './view/axis.mjs';

const axes = {
  chat,
  tools,
  huge,
  single,
  conversation,
  memory,
  latency,
  startup,
  printer,
  store,
  usage,
  fanout,
  page,
  pages,
  view,
  soak,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    json: { type: 'string' },
    core: { type: 'string' },
  },
});
const unknown = positionals.filter((name) => !Object.hasOwn(axes, name));
const rounds = Number(values.rounds ?? (values.quick ? 2 : 5));
const core = resolve(values.core ?? fileURLToPath(new URL('../packages/core/dist/index.js', import.meta.url)));
const problem =
  unknown.length > 0
    ? `there is no axis "${unknown[0]}"; there are ${Object.keys(axes).join(', ')}`
    : !Number.isInteger(rounds) || rounds < 1
      ? `--rounds wants a whole number from 1, not "${values.rounds}"`
      : !existsSync(core) && `${core} is missing: run npm run build first`;
if (problem) {
  console.error(`bench: ${problem}`);
  process.exit(2);
}

const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`;
const options = { rounds, quick: values.quick, full: values.full, core, peers: installPeers(), log: showProgress };
const rows = [];
const figures = {};
for (const name of positionals.length > 0 ? positionals : Object.keys(axes)) {
  const measured = await axes[name](options);
  rows.push(...measured.rows);
  figures[name] = measured.results;
}
showProgress('');

const how = `${rounds} rounds${values.quick ? ', quick' : ''}; ratios within a round (for speed: of CPU time), their median`;
console.log(`${machine}; ${how}.\n\n${renderTable(rows)}\n\n${closingLine(rows)}`);
if (values.json !== undefined) {
  const judged = rows.map((row) => ({ ...row, goals: judge(row) }));
  writeFileSync(
    values.json,
    `${JSON.stringify({ machine, rounds, quick: values.quick, rows: judged, figures }, null, 2)}\n`,
  );
}

function showProgress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
