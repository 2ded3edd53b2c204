// Serves a large store and asks what the pages ask, over HTTP, as somebody who is signed in. One line of JSON on stdout.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { largeStore } from '../store/large-store.mjs';

const { file, sessions, packages, repeats } = JSON.parse(process.argv[2]);
const load = (path) => import(pathToFileURL(join(packages, path)));
const { startServer } = await load('server/dist/index.js');

const store = await largeStore({ file, sessions, store: join(packages, 'store/dist/index.js') });
const folder = mkdtempSync(join(tmpdir(), 'tailrace-bench-pages-'));
let code;
const server = await startServer({
  store,
  folder,
  version: '0.0.0',
  port: 0,
  roots: [],
  onCode: (one) => {
    code = one;
  },
});
const headers = await signIn();

const day = (back) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
const asked = {
  'usage of a year by day': `/api/usage?by=day&since=${day(365)}`,
  'usage of a month by day': `/api/usage?by=day&since=${day(30)}`,
  'usage of a month by project': `/api/usage?by=project&since=${day(30)}`,
  'usage of a month by model': `/api/usage?by=model&since=${day(30)}`,
  'usage of a month by agent': `/api/usage?by=agent&since=${day(30)}`,
  'usage of a month by sub-agent': `/api/usage?by=subagent&since=${day(30)}`,
  'usage of a month by tool': `/api/usage?by=tool&since=${day(30)}`,
  'usage: the running block': `/api/usage?by=block&since=${day(1)}`,
};
for (const words of ['pageToken94', 'getUser', 'piro', '"git log"', '検索', 'user file error'])
  asked[`search ${words}`] = `/api/search?limit=50&q=${encodeURIComponent(words)}`;

const times = {};
for (const [name, path] of Object.entries(asked)) {
  const [first] = await measure(path, 1);
  const cpu = process.cpuUsage();
  const later = await measure(path, repeats);
  const { user, system } = process.cpuUsage(cpu);
  times[name] = { first, later, cpuMs: (user + system) / 1000 / repeats };
}
const all = await (await fetch(`${server.url}/api/usage?by=agent`, { headers })).json();
process.stdout.write(`${JSON.stringify({ times, entries: all.totals.messages })}\n`);
await server.close();
await store.close();
rmSync(folder, { recursive: true, force: true });

async function measure(path, count) {
  const own = [];
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    const reply = await fetch(`${server.url}${path}`, { headers });
    await reply.json();
    own.push(performance.now() - start);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status}`);
  }
  return own;
}

async function signIn() {
  const post = (path, body) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url },
      body: JSON.stringify(body),
    });
  await post('/api/code', {});
  while (code === undefined) await sleep(10);
  const reply = await post('/api/sign-in', { code });
  const { key } = await reply.json();
  const cookie = reply.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  return { 'x-tailrace-key': key, cookie, origin: server.url };
}
