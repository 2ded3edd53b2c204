// Many clients in one process: reads frames of WebSockets as cheaply as can be, and says when everybody has got a burst.
// node clients.mjs PORT SUBSCRIBERS MESSAGES MODE

import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';

const [port, subscribers, perBurst, mode] = process.argv.slice(2);
const wanted = Number(subscribers) * Number(perBurst);
const MARK = Buffer.from('"text-delta"');
let received = 0;

await Promise.all(Array.from({ length: Number(subscribers) }, open));
process.send('ready');

/** Counts marks: text frames are not compressed, so what was sent stands in the bytes. */
function open() {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1');
    let isOpen = false;
    let tail = Buffer.alloc(0);
    socket.once('error', reject);
    socket.once('connect', () => {
      if (mode === 'bare') {
        isOpen = true;
        resolve();
      } else socket.write(handshake());
    });
    socket.on('data', (chunk) => {
      if (!isOpen) {
        isOpen = true;
        if (mode === 'tailrace')
          socket.write(maskedText(JSON.stringify({ type: 'subscribe', subscriptionId: 's', view: 'events' })));
        else resolve();
      }
      if (mode === 'tailrace' && chunk.includes('"live"')) resolve();
      const bytes = tail.length > 0 ? Buffer.concat([tail, chunk]) : chunk;
      let at = 0;
      for (let next = bytes.indexOf(MARK); next >= 0; next = bytes.indexOf(MARK, at)) {
        at = next + MARK.length;
        received++;
      }
      tail = bytes.subarray(Math.max(at, bytes.length - MARK.length + 1));
      if (received >= wanted) {
        received -= wanted;
        process.send('burst');
      }
    });
  });
}

function handshake() {
  return [
    'GET /ws HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Origin: http://127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    '\r\n',
  ].join('\r\n');
}

function maskedText(text) {
  const data = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | data.length, 0, 0, 0, 0]), data]);
}
