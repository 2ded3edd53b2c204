// Keeps lines in one way and prints how long that took. One line of JSON on stdout.

import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createRandom } from '../fixtures/random.mjs';

const { contender, lines: count, batch, store: entry } = JSON.parse(process.argv[2]);
const { openStore } = await import(pathToFileURL(entry));
const Database = createRequire(pathToFileURL(entry))('better-sqlite3');

const random = createRandom(7);
const lines = Array.from({ length: 1000 }, () =>
  Buffer.from(`${JSON.stringify({ text: random.prose(random.integer(150, 350)) })}\n`),
);
const folder = mkdtempSync(join(tmpdir(), 'tailrace-bench-store-'));
const file = join(folder, 'tailrace.db');
const store = await openStore({ file });
await store.record.claim('bench', { kind: 'run' });

const ways = {
  /** Prepared statements on the same table with the same settings, and nothing else. */
  async bare() {
    const database = new Database(file);
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    database.pragma('secure_delete = ON');
    const insert = database.prepare('INSERT INTO lines (stream, seq, at, source, bytes) VALUES (?, ?, ?, ?, ?)');
    const begin = database.prepare('BEGIN IMMEDIATE');
    const commit = database.prepare('COMMIT');
    return (first, until) => {
      for (let seq = first; seq < until; seq += batch) {
        begin.run();
        for (let index = 0; index < batch; index++)
          insert.run(1, seq + index, 1, 0, lines[(seq + index) % lines.length]);
        commit.run();
      }
    };
  },
  /** Each call is acknowledged before the next is made. */
  async tailrace() {
    return async (first, until) => {
      for (let seq = first; seq < until; seq += batch) {
        const some = Array.from({ length: batch }, (_, index) => ({
          at: 1,
          source: 'stdout',
          bytes: lines[(seq + index) % lines.length],
        }));
        await store.record.append('bench', seq, some);
      }
    };
  },
};

const write = await ways[contender]();
const warm = count / 4;
await write(1, 1 + warm);
const [cpu, wall] = [process.cpuUsage(), performance.now()];
await write(1 + warm, 1 + warm + count);
const used = process.cpuUsage(cpu);
const result = { cpuMs: (used.user + used.system) / 1000, wallMs: performance.now() - wall, lines: count };
await store.close();
rmSync(folder, { recursive: true });
process.stdout.write(`${JSON.stringify(result)}\n`);
