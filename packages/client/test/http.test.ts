// Requests: where they go, what goes with them, and what becomes of answers.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProblem } from '@tailrace/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Client, createClient } from '../src/client.ts';
import { startTestServer } from './test-server.ts';
import { until } from './tools.ts';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function serve(
  answer: (seen: Seen) => { readonly status?: number; readonly body: unknown } = () => ({ body: {} }),
) {
  const seen: Seen[] = [];
  const server = await startTestServer({
    route: ({ method, url, headers }, body) => {
      const one = { method, url, headers, body };
      seen.push(one);
      return answer(one);
    },
  });
  const client = createClient({ url: server.url, token: 'a-token', WebSocket });
  ends.push(
    () => server.close(),
    () => client.close(),
  );
  return { server, client, seen };
}

describe('each call', () => {
  const calls: readonly (readonly [string, (client: Client) => Promise<unknown>, object?])[] = [
    [
      'GET /api/sessions?agent=claude&starred=true&limit=5',
      ({ http }) => http.sessions({ agent: 'claude', starred: true, limit: 5, cursor: undefined }),
    ],
    ['GET /api/sessions/a%2F..%2Fb', ({ http }) => http.session('a/../b')],
    ['PATCH /api/sessions/s', ({ http }) => http.label('s', { starred: true }), { starred: true }],
    ['GET /api/sessions/s/events?after=e.1', ({ http }) => http.events('s', { after: 'e.1' })],
    ['GET /api/sessions/s/messages', ({ http }) => http.messages('s')],
    ['GET /api/sessions/s/calls?cursor=c', ({ http }) => http.calls('s', { cursor: 'c' })],
    ['GET /api/sessions/s/files', ({ http }) => http.files('s')],
    ['GET /api/sessions/s/todos', ({ http }) => http.todos('s')],
    ['GET /api/sessions/s/checkpoints', ({ http }) => http.checkpoints('s')],
    ['GET /api/sessions/s/spending', ({ http }) => http.spending('s')],
    ['GET /api/sessions/s/lines/7/events', ({ http }) => http.wholeEvents('s', 7.5)],
    [
      'POST /api/sessions/s/rewind/preview',
      ({ http }) => http.previewRewind('s', { checkpoint: 'p' }),
      { checkpoint: 'p' },
    ],
    [
      'POST /api/sessions/s/rewind',
      ({ http }) => http.rewind('s', { checkpoint: 'p', digest: 'd' }),
      { checkpoint: 'p', digest: 'd' },
    ],
    ['GET /api/search?q=water+mill', ({ http }) => http.search({ q: 'water mill' })],
    ['GET /api/usage?by=day', ({ http }) => http.usage({ by: 'day' })],
    ['GET /api/runs', ({ http }) => http.runs()],
    [
      'POST /api/runs',
      ({ http }) => http.command({ action: 'start', project: 'p', prompt: 'x' }),
      { project: 'p', prompt: 'x' },
    ],
    ['POST /api/runs/r/send', ({ http }) => http.command({ action: 'send', runId: 'r', text: 'x' }), { text: 'x' }],
    ['POST /api/runs/r/stop', ({ http }) => http.command({ action: 'stop', runId: 'r' }), {}],
    ['GET /api/projects', ({ http }) => http.projects()],
    ['GET /api/health', ({ http }) => http.health()],
    ['POST /api/sign-in', ({ http }) => http.signIn('ABCD2345'), { code: 'ABCD2345' }],
    ['POST /api/code', ({ http }) => http.askForCode(), {}],
    ['POST /api/sign-out', ({ http }) => http.signOut(), {}],
    ['GET /api/programs', ({ http }) => http.programs()],
    [
      'POST /api/programs',
      ({ http }) => http.addProgram({ name: 'ci', rights: ['read'] }),
      { name: 'ci', rights: ['read'] },
    ],
    ['DELETE /api/programs/p', ({ http }) => http.removeProgram('p'), {}],
    ['GET /api/sessions/s/before?checkpoint=p', ({ http }) => http.startBefore('s', { checkpoint: 'p' })],
    ['GET /api/agents', ({ http }) => http.agents()],
    ['GET /api/settings', ({ http }) => http.settings()],
    ['PATCH /api/settings', ({ http }) => http.changeSettings({ retentionDays: null }), { retentionDays: null }],
  ];

  for (const [line, call, body] of calls) {
    test(line, async () => {
      const { client, seen } = await serve();
      await call(client);
      expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([line]);
      expect(seen[0]?.headers.authorization).toBe('Bearer a-token');
      expect(seen[0]?.body).toBe(body ? JSON.stringify(body) : '');
      expect(seen[0]?.headers['content-type']).toBe(body ? 'application/json' : undefined);
    });
  }
});

test('a line can be had in part', async () => {
  const { client, seen } = await serve();
  const response = await client.http.line('/api/sessions/s/lines/7', { range: { from: 5, to: 9 } });
  expect(response.status).toBe(200);
  expect(seen[0]?.headers.range).toBe('bytes=5-9');
});

// [T-08]: a client is never led to another place, with or without its token.
test.each([
  'http://evil.example/api/sessions',
  '//evil.example/x',
  '/\\evil.example/x',
  'api/sessions',
  '',
  'javascript:alert(1)',
  'http://',
])('[T-08] the address %j is refused', async (ref) => {
  const { client, seen } = await serve();
  await expect(client.http.line(ref)).rejects.toMatchObject({ code: 'bad-request' });
  expect(seen).toEqual([]);
});

test('[T-08] a token follows no redirect', async () => {
  const heard: IncomingMessage['headers'][] = [];
  const elsewhere = createServer(({ headers }, response) => {
    heard.push(headers);
    response.end('{}');
  });
  const front = createServer((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/` });
    response.end();
  });
  for (const one of [elsewhere, front]) {
    await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
    ends.push(() => one.close());
  }
  const client = createClient({ url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`, token: 't' });
  await expect(client.http.health()).rejects.toMatchObject({ code: 'unavailable' });
  expect(heard).toEqual([]);
});

test('a token goes with the socket in a header, never in its address', async () => {
  const { client, server } = await serve();
  client.subscribe({ view: 'sessions' }, () => undefined);
  await until(() => server.peers.length === 1);
  expect(server.peers[0]?.headers.authorization).toBe('Bearer a-token');
});

test.each([
  [401, createProblem('unauthenticated'), 'unauthenticated'],
  [404, createProblem('not-found', 'no session s'), 'not-found'],
  [507, createProblem('full'), 'full'],
  [404, '<html>', 'not-found'],
  [502, null, 'unavailable'],
])('an answer %s of %j fails as %s', async (status, body, code) => {
  const { client } = await serve(() => ({ status, body }));
  await expect(client.http.session('s')).rejects.toMatchObject({ code });
});

test('a server that cannot be reached, an answer that cannot be read, and one that is not wanted any more', async () => {
  const client = createClient({ url: 'http://127.0.0.1:9' });
  await expect(client.http.health()).rejects.toMatchObject({ code: 'unavailable' });
  await expect(client.http.health({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  const page = createServer((_, response) => response.end('<html>'));
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  ends.push(() => page.close());
  const other = createClient({ url: `http://127.0.0.1:${(page.address() as AddressInfo).port}` });
  await expect(other.http.health()).rejects.toMatchObject({ code: 'internal' });
});

test('a client that was closed ends its requests, and begins no more', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const client = createClient({ url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` });
  const isAsked = new Promise((resolve) => silent.once('request', resolve));
  const asked = expect(client.http.health()).rejects.toMatchObject({ code: 'closed' });
  await isAsked;
  client.close();
  await asked;
  await expect(client.http.health()).rejects.toMatchObject({ code: 'closed' });
});

test.each([
  undefined,
  'not an address',
  'ftp://127.0.0.1',
  'http://user:secret@127.0.0.1:4711',
  'http://127.0.0.1:4711/?token=secret',
  'http://127.0.0.1:4711/#secret',
  'http://127.0.0.1:4711/api',
])('a server at %j is refused, and no secret of its address is told', (url) => {
  expect(() => createClient({ url })).toThrow(
    expect.objectContaining({ code: 'bad-request', message: expect.not.stringContaining('secret') }),
  );
});
