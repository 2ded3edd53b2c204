// What it costs to print a stream, against only decoding it: whole processes from a file to nowhere.

import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fixture } from '../fixtures/write.mjs';
import { interleave, median, medianRatio } from '../rounds.mjs';

const decoder = fileURLToPath(new URL('decode.mjs', import.meta.url));
const report = fileURLToPath(new URL('report-cpu.cjs', import.meta.url));
const command = fileURLToPath(new URL('../../packages/cli/dist/tailrace.js', import.meta.url));

const LABELS = { decoder: 'the decoder alone', printer: '**Tailrace** prints it', plain: 'the same with `--plain`' };
/** How many times the decoder's CPU time printing may take. */
const MOST = { tools: { printer: 2, plain: 1.5 }, chat: { printer: 8, plain: 1.5 } };

export async function printer({ rounds, quick, core, log }) {
  const rows = [];
  const results = {};
  for (const shape of ['tools', 'chat']) {
    const { path, bytes } = fixture(quick ? shape : `${shape}-100`);
    const ways = {
      decoder: [decoder, core, path],
      printer: [command, 'view', path],
      plain: [command, 'view', '--plain', path],
    };
    const names = Object.keys(ways);
    const cpu = (result) => result.cpu;
    results[shape] = await interleave(names, rounds, (name) => {
      log(`printer: ${shape}, ${name}`);
      return measure(ways[name]);
    });
    for (const name of names) {
      const most = MOST[shape][name];
      rows.push({
        axis: `printer, ${shape} (${Math.round(bytes / 1e6)} MB to nowhere)`,
        what: LABELS[name],
        figure: `${median(results[shape][name].map(cpu)).toFixed(0)} ms`,
        limit: medianRatio(results[shape], name, 'decoder', cpu),
        goals: most ? [{ of: 'limit', most }] : [],
      });
    }
  }
  return { rows, results };
}

/** The CPU time of a whole process, its start included. */
function measure(words) {
  const out = openSync('/dev/null', 'w');
  const { status, output } = spawnSync(process.execPath, ['--require', report, ...words], {
    stdio: ['ignore', out, 'inherit', 'pipe'],
    encoding: 'utf8',
  });
  closeSync(out);
  if (status !== 0) throw new Error(`node ${words.join(' ')} ended with ${status}`);
  return JSON.parse(output[3]);
}
