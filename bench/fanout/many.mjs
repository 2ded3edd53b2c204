// Many subscribers of the whole server, a few events a second: what arrives, in which order and how late. Several sign-ins, since one
// may have two hundred sockets.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beginningLines, deltaLines } from './lines.mjs';

const { subscribers, perSecond, seconds, packages } = JSON.parse(process.argv[2]);
const load = (path) => import(pathToFileURL(join(packages, path)).href);
const { openStore } = await load('store/dist/index.js');
const { startServer } = await load('server/dist/index.js');

const folder = mkdtempSync(join(tmpdir(), 'tailrace-many-'));
const store = await openStore({ file: join(folder, 'tailrace.db') });
/** As another process would. */
const writer = await openStore({ file: join(folder, 'tailrace.db') });
/** The header says which sign-in it is. */
const authorize = (headers) => ({ kind: 'host', id: `bench-${headers['x-bench'] ?? 0}`, rights: new Set(['read']) });
const server = await startServer({ store, folder, version: '0', onCode() {}, authorize });
const clients = fork(
  fileURLToPath(new URL('timed-clients.mjs', import.meta.url)),
  [server.port, subscribers, packages].map(String),
);
await once(clients, 'message');

await writer.record.claim('run:bench', { kind: 'run', agent: 'claude' });
let seq = 1;
async function append(lines) {
  const rows = lines.map((line) => ({ at: Date.now(), source: 'stdout', bytes: Buffer.from(`${line}\n`) }));
  await writer.record.append('run:bench', seq, rows);
  seq += rows.length;
}
await append(beginningLines());
const events = perSecond * seconds;
const start = Date.now();
for (let number = 0; number < events; number++) {
  await wait(Math.max(0, start + (number * 1000) / perSecond - Date.now()));
  await append(deltaLines(number, 1));
}
clients.send({ events });
const [result] = await once(clients, 'message');
clients.kill();
await server.close();
await store.close();
await writer.close();
rmSync(folder, { recursive: true });
console.log(JSON.stringify({ ...result, expected: events * subscribers }));
process.exit(0);
