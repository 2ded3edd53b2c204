// One contender serves all clients, which are in another process; prints what it took this one.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { deltaLines } from './lines.mjs';

const { contender, bursts, burst, subscribers, packages } = JSON.parse(process.argv[2]);
const load = (path) => import(pathToFileURL(join(packages, path)).href);
const WARM_UP = 20;

const contenders = { ws: useWs, bare: useBare, tailrace: useGroup, whole: useServer };
const { port, send, close, ready } = await contenders[contender]();
const mode = contender === 'bare' ? 'bare' : contender === 'whole' ? 'tailrace' : 'plain';
const clients = fork(
  fileURLToPath(new URL('clients.mjs', import.meta.url)),
  [port, subscribers, burst, mode].map(String),
);
await once(clients, 'message');
await ready?.();
for (let number = 0; number < WARM_UP; number++) await sendBurst(number);
const before = process.cpuUsage();
const start = performance.now();
for (let number = 0; number < bursts; number++) await sendBurst(WARM_UP + number);
const wallMs = performance.now() - start;
const { user, system } = process.cpuUsage(before);
clients.kill();
await close();
console.log(JSON.stringify({ wallMs, cpuMs: (user + system) / 1000 }));
process.exit(0);

/** The next one begins when everybody has this one. */
async function sendBurst(number) {
  const arrived = once(clients, 'message');
  await send(number);
  await arrived;
}

/** The messages of a burst as Tailrace sends them. */
function messagesOf(number) {
  return deltaLines(number * burst, burst).map((line, index) => ({
    type: 'event',
    sessionId: 'a0000000-0000-4000-8000-000000000001',
    position: number * burst + index + 1,
    event: {
      type: 'text-delta',
      seq: number * burst + index,
      line: number * burst + index + 1,
      at: 1_794_720_000_000,
      blockId: 'b-0',
      messageId: 'm',
      delta: JSON.parse(line).event.delta.text,
    },
  }));
}

async function useWs() {
  const { WebSocketServer } = await load('../node_modules/ws/wrapper.mjs');
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  await once(server, 'listening');
  return {
    port: server.address().port,
    send(number) {
      for (const message of messagesOf(number)) {
        const text = JSON.stringify(message);
        for (const client of server.clients) client.send(text);
      }
    },
    close: () => server.close(),
  };
}

async function useBare() {
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: server.address().port,
    // A client is connected as soon as the system has taken it up, which is before we have.
    async ready() {
      while (sockets.size < subscribers) await once(server, 'connection');
    },
    send(number) {
      const bytes = Buffer.from(JSON.stringify(messagesOf(number)));
      for (const socket of sockets) socket.write(bytes);
    },
    close: () => server.close(),
  };
}

/** The part that is compared: what was told is made into frames once, and sent to all. */
async function useGroup() {
  const { WebSocketServer } = await load('../node_modules/ws/wrapper.mjs');
  const { sayToGroup } = await load('server/dist/feed/groups.js');
  const { createView } = await load('server/dist/feed/view.js');
  const { createOutlet } = await load('server/dist/socket/outlet.js');
  const wanted = { view: 'events', sessions: undefined, filter: {}, switches: {}, progressIntervalMs: undefined };
  const view = createView(wanted, { events: async function* () {}, about: async () => undefined });
  const listeners = new Set();
  const group = { epoch: 'e', view, listeners, place: 0, said: 0 };
  const http = createHttpServer();
  const door = new WebSocketServer({ server: http, perMessageDeflate: false });
  door.on('connection', (socket) => {
    listeners.add({ subscriptionId: 's', outlet: createOutlet(socket), wanted, isOver: false });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    port: http.address().port,
    async send(number) {
      const told = messagesOf(number).map(({ sessionId, position, event }) => ({
        kind: 'line',
        place: position,
        sessionId,
        events: [event],
      }));
      const until = told.at(-1).place;
      await sayToGroup(group, { epoch: 'e', told, until, end: until });
    },
    close: () => http.close(),
  };
}

/** All of it: the lines are kept, folded and told. */
async function useServer() {
  const { openStore } = await load('store/dist/index.js');
  const { startServer } = await load('server/dist/index.js');
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-fanout-'));
  const store = await openStore({ file: join(folder, 'tailrace.db') });
  const caller = { kind: 'host', id: 'bench', rights: new Set(['read']) };
  const server = await startServer({ store, folder, version: '0', onCode() {}, authorize: () => caller });
  await store.record.claim('run:bench', { kind: 'run', agent: 'claude' });
  let seq = 1;
  return {
    port: server.port,
    async send(number) {
      const lines = deltaLines(number * burst, burst).map((line) => ({
        at: Date.now(),
        source: 'stdout',
        bytes: Buffer.from(`${line}\n`),
      }));
      await store.record.append('run:bench', seq, lines);
      seq += lines.length;
      server.wake();
    },
    async close() {
      await server.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}
