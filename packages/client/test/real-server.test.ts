// The client and the server of this house, on a real store: what was handed on equals what is stored, however the connection breaks.

import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EventMessage } from '@tailrace/protocol';
import { startServer, type TailraceServer } from '@tailrace/server';
import { openStore, type Store } from '@tailrace/store';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Client, createClient } from '../src/client.ts';
import { sessionStream } from '../src/react/session-stream.ts';
import { startStreamingMessage } from '../src/react/streaming-message.ts';
import { CUTS, type Cut } from './test-server.ts';
import { until } from './tools.ts';

const capture = readFileSync(fileURLToPath(new URL('../../../fixtures/claude/2.1.325/demo.ndjson', import.meta.url)));
const lines = capture.toString().split('\n').filter(Boolean);
const SESSION = /"session_id":"([^"]+)"/.exec(capture.toString())?.[1] ?? '';
const STREAM = 'run:00000000-0000-4000-8000-000000000001';

let folder: string;
let store: Store;
let server: TailraceServer;
let client: Client;
/** The client's sockets, the newest last. */
let sockets: WebSocket[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tailrace-client-'));
  chmodSync(folder, 0o700);
  store = await openStore({ file: join(folder, 'tailrace.db') });
  server = await startServer({
    store,
    folder,
    version: '0.0.0',
    heartbeatMs: 300,
    onCode: () => undefined,
    authorize: () => ({ kind: 'host', id: 'test', rights: new Set(['read', 'run', 'answer']) }),
  });
  sockets = [];
  class Watched extends WebSocket {
    constructor(url: string, options?: object) {
      super(url, options);
      sockets.push(this);
    }
  }
  client = createClient({ url: server.url, token: 'any', WebSocket: Watched, random: () => 0 });
});
afterEach(async () => {
  client.close();
  await server.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function cut(how: Cut): void {
  const socket = sockets.at(-1);
  if (how === 'clean') socket?.close();
  // The wire below it is no public part of `ws`.
  else if (how === 'reset') (socket as unknown as { readonly _socket: Socket })._socket.resetAndDestroy();
  // Nothing of what the server says arrives any more.
  else socket?.pause();
}

/** A replay may leave out pieces of what it also sends whole. */
const isWhole = ({ event }: EventMessage): boolean =>
  !event.type.endsWith('-delta') && event.type !== 'tool-call-update';

test.each(CUTS)('cut %s while a run is written', async (how) => {
  const lease = await store.record.claim(STREAM, { kind: 'run', agent: 'claude' });
  const write = (from: number, to: number): Promise<unknown> =>
    store.record.append(
      STREAM,
      from + 1,
      lines
        .slice(from, to)
        .map((line, index) => ({ at: from + index, source: 'stdout', bytes: Buffer.from(`${line}\n`) })),
    );
  const handed: EventMessage[] = [];
  await write(0, 5);
  server.wake();
  await until(async () => (await client.http.sessions()).items.length === 1);
  client.subscribe({ view: 'events', sessions: [SESSION] }, (messages) => {
    for (const message of messages) {
      if (message.type === 'reset') handed.length = 0;
      if (message.type === 'event') handed.push(message);
    }
  });
  const step = Math.ceil((lines.length - 5) / 8);
  for (let from = 5; from < lines.length; from += step) {
    const [before, connections] = [handed.length, sockets.length];
    await write(from, Math.min(from + step, lines.length));
    server.wake();
    await until(() => handed.length > before);
    cut(how);
    await until(() => sockets.length > connections);
  }
  await lease.release();
  await server.told();

  const stored: EventMessage[] = [];
  for (let after: string | undefined, hasMore = true; hasMore; ) {
    const page = await client.http.events(SESSION, { after });
    stored.push(...page.items);
    after = page.next;
    hasMore = page.hasMore;
  }
  await until(() => handed.filter(isWhole).length >= stored.filter(isWhole).length);
  expect(handed.filter(isWhole)).toEqual(stored.filter(isWhole));
  const names = handed.map(({ position, event }) => `${position}/${event.seq}/${event.type}`);
  expect(new Set(names).size).toBe(names.length);
  expect(stored.length).toBeGreaterThan(50);
});

test('[G-13] an answer that is too long to travel in one piece is whole, for whoever was there and for whoever comes later', async () => {
  const lease = await store.record.claim(STREAM, { kind: 'run', agent: 'claude' });
  const text = 'All of it. '.repeat(12_000);
  const own = { session_id: SESSION, parent_tool_use_id: null };
  const message = { id: 'm', role: 'assistant', model: 'm-1', usage: { input_tokens: 1, output_tokens: 1 } };
  const say = (block: object): object => ({ ...own, type: 'assistant', message: { ...message, content: [block] } });
  const output = 'Printed. '.repeat(12_000);
  const done = { type: 'tool_result', tool_use_id: 'c', content: output };
  const rows = [
    { type: 'system', subtype: 'init', session_id: SESSION, tools: [], model: 'm-1', cwd: '/mill' },
    say({ type: 'text', text }),
    say({ type: 'tool_use', id: 'c', name: 'Bash', input: { command: 'x' } }),
    { ...own, type: 'user', message: { role: 'user', content: [done] } },
    say({ type: 'text', text: 'The end.' }),
    { ...own, type: 'result', subtype: 'success', is_error: false, result: 'The end.', usage: {} },
  ];
  const follow = (): ReturnType<typeof startStreamingMessage> =>
    startStreamingMessage(sessionStream(client, SESSION), undefined, () => {});
  const early = follow();
  await store.record.append(
    STREAM,
    1,
    rows.map((row, at) => ({ at, source: 'stdout', bytes: Buffer.from(`${JSON.stringify(row)}\n`) })),
  );
  await until(() => early.read().end);
  const late = follow();
  await until(() => late.read().end);
  for (const one of [early, late]) {
    expect(one.read().content).toBe(`${text}\n\nThe end.`);
    expect(one.read().tools).toMatchObject([{ id: 'c', result: { content: output, isError: false } }]);
    one.stop();
  }
  await lease.release();
});
