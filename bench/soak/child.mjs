// The server under work. Prints what was kept of memory and handles.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writeAgent } from './agent.mjs';

const { runs, reconnects, linesPerRun, packages } = JSON.parse(process.argv[2]);
const load = (path) => import(pathToFileURL(join(packages, path)).href);
const { openStore } = await load('store/dist/index.js');
const { startServer } = await load('server/dist/index.js');
const AT_ONCE = 24;
const LISTENERS = 20;
/** So many runs the last of the listeners may be behind: what is measured is what stays after long work, not what too much work does. */
const BEHIND = 48;

const folder = mkdtempSync(join(tmpdir(), 'tailrace-soak-'));
const [data, project] = [join(folder, 'data'), join(folder, 'project')];
mkdirSync(data, { mode: 0o700 });
mkdirSync(project);
const program = writeAgent(folder, linesPerRun);
const store = await openStore({ file: join(data, 'tailrace.db') });
const caller = { kind: 'host', id: 'bench', rights: new Set(['read', 'run', 'answer']) };
const server = await startServer({
  store,
  folder: data,
  version: '0',
  roots: [project],
  programs: () => program,
  env: { PATH: process.env.PATH, HOME: folder },
  onCode() {},
  authorize: () => caller,
  onError: (error) => console.error(`soak: ${String(error)}`),
});
const start = performance.now();
const { items } = await call('GET', '/api/projects');
const [{ id }] = items;
// The first run of a process makes what is kept for all of them.
await runOnce();
await settle();
const handles = { start: handleCount() };
const clients = fork(
  fileURLToPath(new URL('clients.mjs', import.meta.url)),
  [server.port, LISTENERS, reconnects, runs * linesPerRun, packages].map(String),
);
await once(clients, 'message');
let heardRuns = 0;
clients.on('message', ({ turns }) => {
  heardRuns = turns ?? heardRuns;
});
const samples = [];
let begun = 0;
let done = 0;
await Promise.all(Array.from({ length: AT_ONCE }, work));
clients.send({ runs, isLast: true });
const heard = await new Promise((resolve) => {
  clients.on('message', (message) => message.cuts !== undefined && resolve(message));
});
clients.kill();
await once(clients, 'exit');
await settle();
handles.end = handleCount();
const [first, last] = [samples[Math.floor(samples.length / 4)], samples.at(-1)];
const events = runs * linesPerRun;
const hundred = Math.max(last.events - first.events, 1) / 100_000;
const result = {
  events,
  reconnects: heard.cuts,
  seconds: (performance.now() - start) / 1000,
  growthBytes: (last.bytes - first.bytes) / hundred,
  rssGrowthBytes: (last.rss - first.rss) / hundred,
  handles,
  wrong: heard.wrong,
  heard: heard.events,
  samples,
};
await server.close();
await store.close();
rmSync(folder, { recursive: true });
console.log(JSON.stringify(result));
process.exit(0);

async function work() {
  while (begun < runs) {
    begun++;
    while (begun - heardRuns > BEHIND) await wait(10);
    await runOnce();
    done++;
    if (done % Math.max(1, Math.floor(runs / 40)) === 0) sample();
  }
}

async function runOnce() {
  const { runId } = await call('POST', '/api/runs', { project: id, prompt: 'go' });
  while ((await call('GET', '/api/runs')).items.some((run) => run.runId === runId)) await wait(10);
}

function sample() {
  globalThis.gc?.();
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
  samples.push({ events: done * linesPerRun, bytes: heapUsed + external + arrayBuffers, rss });
}

/** Time for what ends by itself. */
async function settle() {
  const until = performance.now() + 20_000;
  for (let before = -1; performance.now() < until; ) {
    await wait(500);
    const now = handleCount();
    if (now === before && server.counts.sockets === 0) return;
    before = now;
  }
}

function handleCount() {
  return readdirSync('/proc/self/fd').length;
}

/** Without a connection that stays open: it would be a handle too. */
async function call(method, path, body) {
  const headers = { origin: server.url, ...(body && { 'content-type': 'application/json' }) };
  const asked = request(`${server.url}${path}`, { method, headers, agent: false });
  asked.end(body && JSON.stringify(body));
  const [reply] = await once(asked, 'response');
  const text = Buffer.concat(await reply.toArray()).toString();
  if (reply.statusCode >= 400) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text);
}
