// One small line at a time, as they come while a model answers; the next comes only after the last has arrived. The clock
// runs from the write until the host has the message or the event. Only deltas are on the clock; the lines between them are
// sent, too, so that the session is a real one. `over: 'socket'` sends through the kernel, as an agent's output comes;
// `over: 'memory'` pushes into a stream from the event loop, and shows the reader's own share.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { sdkMessages } from '../parse/contenders.mjs';

const { contender, over, path, count, warm, core } = JSON.parse(process.argv[2]);
const { source, write, close } = over === 'socket' ? await openSocket() : openMemory();
const times = [];
const lines = linesOf(readFileSync(path));
let sentAt = 0n;
let isTimed = false;

const ways = {
  /** The limit: the stream alone. */
  stream() {
    source.on('data', () => {
      if (isTimed) arrived();
    });
  },
  readline() {
    createInterface({ input: source, crlfDelay: Infinity }).on('line', (line) => take(JSON.parse(line)));
  },
  async sdk() {
    for await (const message of sdkMessages(source)) take(message);
  },
  tailrace() {
    const decoder = createDecoder({ agent: 'claude' });
    source.on('data', (chunk) => {
      for (const { type } of decoder.feed(chunk)) if (type === 'text-delta' || type === 'reasoning-delta') arrived();
    });
  },
};
const { createDecoder } = contender === 'tailrace' ? await import(pathToFileURL(core)) : {};
ways[contender]();
setImmediate(send);

function send() {
  const { value } = lines.next();
  isTimed = value.isDelta;
  sentAt = process.hrtime.bigint();
  write(value.line);
  if (!value.isDelta) setImmediate(send);
}

function take(message) {
  const delta = message.event?.delta;
  if (delta?.type === 'text_delta' || delta?.type === 'thinking_delta') arrived();
}

function arrived() {
  times.push(Number(process.hrtime.bigint() - sentAt) / 1e3);
  if (times.length < warm + count) setImmediate(send);
  else report();
}

function report() {
  const sorted = times.slice(warm).sort((a, b) => a - b);
  const percentile = (share) => sorted[Math.floor(sorted.length * share)];
  process.stdout.write(`${JSON.stringify({ p50: percentile(0.5), p99: percentile(0.99) })}\n`);
  close();
}

function openMemory() {
  const source = new Readable({ read() {} });
  return { source, write: (chunk) => source.push(chunk), close: () => source.push(null) };
}

/** A connected pair of local sockets, which is what Node gives a child process as its standard output, too. */
async function openSocket() {
  const address = join(tmpdir(), `tailrace-bench-${process.pid}.sock`);
  const server = createServer().listen(address);
  await once(server, 'listening');
  const sink = createConnection(address);
  const [source] = await once(server, 'connection');
  const close = () => {
    sink.end();
    source.destroy();
    server.close();
  };
  return { source, write: (chunk) => sink.write(chunk), close };
}

function* linesOf(bytes) {
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    const line = bytes.subarray(start, end + 1);
    start = end + 1;
    // A line of its own memory, as a pipe's chunk has.
    yield { line: Buffer.from(line), isDelta: line.includes('text_delta') || line.includes('thinking_delta') };
  }
}
