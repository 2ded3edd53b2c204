// Many clients that look at each message: when it came, and whether it is the next one.
// node timed-clients.mjs PORT SUBSCRIBERS PACKAGES

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [port, subscribers, packages] = process.argv.slice(2);
const { WebSocket } = await import(pathToFileURL(join(packages, '../node_modules/ws/wrapper.mjs')).href);
/** So many sockets one sign-in may have. */
const EACH = 200;
const late = [];
let received = 0;
let disordered = 0;
let expected = Number.POSITIVE_INFINITY;
let done = () => {};

await Promise.all(Array.from({ length: Number(subscribers) }, (_, index) => open(index)));
process.send('ready');
process.once('message', async ({ events }) => {
  expected = events * Number(subscribers);
  const patience = setTimeout(() => done(), 30_000);
  await new Promise((resolve) => {
    done = resolve;
    if (received >= expected) resolve();
  });
  clearTimeout(patience);
  late.sort((a, b) => a - b);
  process.send({ received, disordered, p50: late[late.length >> 1], p99: late[Math.floor(late.length * 0.99)] });
});

function open(index) {
  return new Promise((resolve, reject) => {
    const headers = { 'x-bench': String(Math.floor(index / EACH)), origin: `http://127.0.0.1:${port}` };
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers });
    let next = 0;
    socket.once('error', reject);
    socket.once('open', () => socket.send(JSON.stringify({ type: 'subscribe', subscriptionId: 's', view: 'events' })));
    socket.on('message', (data) => {
      const now = Date.now();
      for (const message of JSON.parse(String(data)).messages) {
        if (message.type === 'ping') socket.send('{"type":"pong"}');
        if (message.type === 'live') resolve();
        if (message.type !== 'event' || message.event.type !== 'text-delta') continue;
        const number = Number(/word (\d+) /.exec(message.event.delta)?.[1]);
        if (number !== next) disordered++;
        next = number + 1;
        received++;
        late.push(now - message.event.at);
      }
      if (received >= expected) done();
    });
  });
}
