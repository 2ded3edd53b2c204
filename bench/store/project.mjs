// Keeps the lines of a fixture, as runs of bounded length, and prints how long it takes to make the history of them.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { path, lines: count, store: entry } = JSON.parse(process.argv[2]);
const { openStore } = await import(pathToFileURL(entry));

const PIECE = 1000;
const folder = mkdtempSync(join(tmpdir(), 'tailrace-bench-store-'));
const store = await openStore({ file: join(folder, 'tailrace.db') });
const bytes = readFileSync(path);
const lines = [];
for (let start = 0; start < bytes.length && lines.length < count; ) {
  const end = bytes.indexOf(10, start) + 1 || bytes.length;
  lines.push({ at: 1_790_000_000_000 + lines.length, source: 'stdout', bytes: bytes.subarray(start, end) });
  start = end;
}
const lease = await store.record.claim('run:bench', { kind: 'run', agent: 'claude' });
for (let first = 0; first < lines.length; first += PIECE)
  await store.record.append('run:bench', first + 1, lines.slice(first, first + PIECE));
await lease.release();

const [cpu, wall] = [process.cpuUsage(), performance.now()];
const done = await store.history.catchUp();
const used = process.cpuUsage(cpu);
if (done.lines !== lines.length) throw new Error(`${done.lines} lines were taken up, not ${lines.length}`);
const result = { cpuMs: (used.user + used.system) / 1000, wallMs: performance.now() - wall, lines: lines.length };
await store.close();
rmSync(folder, { recursive: true });
process.stdout.write(`${JSON.stringify(result)}\n`);
