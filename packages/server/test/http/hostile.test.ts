// Requests that mean no good: slow, huge, broken, and ids that want to be paths (T-11, T-23).

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MAX_CLIENT_MESSAGE_BYTES, problem } from '@tailrace/protocol';
import type { Store } from '@tailrace/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttpServer } from '../../src/http/create-http-server.ts';
import { HEADERS_MS, MAX_CONNECTIONS, MAX_HEADER_BYTES, REQUEST_MS } from '../../src/http/limits.ts';
import { keep, openPlace, type Place, recordedLines } from './place.ts';

let place: Place;
let session: string;
/** What the store was asked for by an id. */
const asked: string[] = [];

beforeAll(async () => {
  place = await openPlace({ headersMs: 400, requestMs: 800, checkMs: 50 });
  session = await keep(place.store, recordedLines('basic-text'));
  watch(place.store);
});
afterAll(() => place.close());

/** The store as it is, and a list of the ids that reached it. */
function watch({ history, record }: Store): void {
  for (const name of ['session', 'messages', 'calls', 'files', 'todos', 'checkpoints', 'events', 'label'] as const) {
    const real = history[name] as (id: string, ...rest: unknown[]) => unknown;
    Object.assign(history, {
      [name]: (id: string, ...rest: unknown[]) => {
        asked.push(id);
        return real(id, ...rest);
      },
    });
  }
  const { streams, after } = record;
  Object.assign(record, {
    streams: (filter: { readonly sessionId?: string }) => {
      asked.push(String(filter?.sessionId));
      return streams(filter);
    },
    after: (position: number, limit?: number) => {
      asked.push(`line ${position}`);
      return after(position, limit);
    },
  });
}

/** Ids that are none. */
function hostileIds(): readonly string[] {
  const ups = [
    '..',
    '../',
    '..\\',
    '.',
    './',
    '%2e%2e',
    '%2E%2e%2F',
    '%252e%252e',
    '..%2f',
    '%2e%2e%5c',
    '..%00',
    '..;',
    '%c0%ae%c0%ae',
  ];
  const goals = [
    'etc/passwd',
    'etc%2Fpasswd',
    'C:\\Windows',
    'C%3A%5CWindows',
    'tailrace.db',
    '%5C%5Cserver%5Cshare',
    '//server/share',
    '',
  ];
  const made = ups.flatMap((up) =>
    goals.flatMap((goal) => [1, 2, 5, 9].map((times) => `${`${up}%2F`.repeat(times)}${goal}`)),
  );
  const others = [
    '%00',
    `${session}%00`,
    `${session}%00.json`,
    `%00${session}`,
    `${session}%2F..`,
    `${session}%0d%0aSet-Cookie:x`,
    `%20${session}`,
    `${session}%20`,
    `${session}..`,
    `-${session}`,
    '~',
    '~root',
    '$HOME',
    '%24%7BHOME%7D',
    'C:',
    'C%3A',
    'C:x',
    'c:windows',
    'D%3Aetc',
    'Z:.',
    'NUL%00',
    'a'.repeat(201),
    'a'.repeat(5_000),
    '%61'.repeat(2_000),
    '%',
    '%zz',
    '%ff',
    '%ed%a0%80',
    "'%20OR%201=1--",
    '%22',
    '*',
    '%25',
    '%E2%80%AE',
    '{}',
    '%5B%5D',
    '__proto__',
  ];
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % below;
  };
  const pieces = ['..', '/', '%2f', '%5c', '%00', '.', '%2e', '\\', ':', 'a', '%', ' ', '-', '%c0%af', '%0a'];
  const mixed = Array.from({ length: 800 }, () =>
    // At least one piece that no id has.
    ['%2f', ...Array.from({ length: 1 + random(12) }, () => pieces[random(pieces.length)])]
      .sort(() => random(3) - 1)
      .join(''),
  ).map((id) => id.replaceAll(' ', '%20'));
  return [...new Set([...made, ...others, ...mixed])];
}

test('[T-23] 1,000 ids that want to be something else are refused, and the store sees none of them', async () => {
  const ids = hostileIds();
  expect(ids.length).toBeGreaterThanOrEqual(1_000);
  asked.length = 0;
  const parts = ['', '/events', '/messages', '/lines/1', '/todos'];
  for (const [index, id] of ids.entries()) {
    const part = parts[index % parts.length] ?? '';
    const { status, json, headers } = await place.askAsPerson(`/api/sessions/${id}${part}`);
    expect([id, status >= 400 && status < 500]).toEqual([id, true]);
    expect(headers['content-type']).toBe('application/problem+json');
    problem.parse(json);
  }
  for (const id of ids.slice(0, 200)) {
    expect((await place.askAsPerson(`/api/sessions/${session}/lines/${id}`)).status).toBeGreaterThanOrEqual(400);
    expect(
      (await place.askAsPerson(`/api/runs/${id}/stop`, { method: 'POST', body: {} })).status,
    ).toBeGreaterThanOrEqual(400);
    expect((await place.askAsPerson(`/api/programs/${id}`, { method: 'DELETE' })).status).toBeGreaterThanOrEqual(400);
  }
  expect([asked, place.commands, place.errors]).toEqual([[], [], []]);
  // The watch itself can see.
  expect((await place.askAsPerson(`/api/sessions/${session}`)).status).toBe(200);
  expect(asked).toEqual([session]);
});

test('[T-23] the page is only asked for plain names', async () => {
  const names: string[] = [];
  const own = await openPlace({
    parts: {
      page(path) {
        names.push(path);
        return undefined;
      },
    },
  });
  for (const path of [
    '/../x',
    '/a/../b',
    '/%2e%2e/x',
    '/a%00',
    '/.env',
    '/a/.git/config',
    '/a//b',
    '/a\\b',
    '/a/',
    '/C:/x',
    '/a%2fb',
  ])
    expect((await own.askAsPerson(path)).status).toBeGreaterThanOrEqual(400);
  expect(names).toEqual([]);
  const plain = ['/assets/app-1a2b.js', '/sessions/run:1f2e', '/sessions/run%3A1f2e'];
  for (const path of plain) await own.askAsPerson(`${path}?x=1`);
  expect(names).toEqual(plain);
  await own.close();
});

describe('[T-11] limits', () => {
  test('are set on the server, and not only written down', () => {
    const server = createHttpServer(() => undefined);
    expect(server).toMatchObject({
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      maxConnections: MAX_CONNECTIONS,
    });
    expect([server.keepAliveTimeout > 0, server.timeout > 0]).toEqual([true, true]);
  });

  test('a connection on which nothing was asked is ended without a word; one with half a question is told', async () => {
    const server = createHttpServer(() => undefined);
    server.headersTimeout = 100;
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const heardBy = async (said: string): Promise<string> => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      let heard = '';
      socket.on('data', (bytes) => {
        heard += bytes;
      });
      socket.write(said);
      await once(socket, 'close');
      return heard;
    };
    // A browser would take the word for the answer to what it asks at that moment.
    expect(await heardBy('')).toBe('');
    expect(await heardBy('GET / HTTP/1.1\r\nHost: ')).toMatch(/^HTTP\/1\.1 400 /);
    server.close();
  });

  test('headers that are too large are refused, one byte less is not', async () => {
    const begin = `GET / HTTP/1.1\r\nHost: ${place.host}\r\nConnection: close\r\nX: `;
    const of = (bytes: number): string => `${begin}${'x'.repeat(bytes)}\r\n\r\n`;
    expect(await place.raw(of(MAX_HEADER_BYTES + 1))).toMatch(/^HTTP\/1\.1 400 /);
    expect(await place.raw(of(MAX_HEADER_BYTES - begin.length - 100))).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('a second name behind thousands of headers is still seen', async () => {
    const fill = 'X: y\r\n'.repeat(2_500);
    const begin = `GET / HTTP/1.1\r\nHost: ${place.host}\r\nConnection: close\r\n${fill}`;
    expect(await place.raw(`${begin}\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await place.raw(`${begin}Host: evil.example\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('a body that is too large is not read to its end, whether it says so or not', async () => {
    const person = Object.entries(place.person).map(([name, value]) => `${name}: ${value}\r\n`);
    const begin = `POST /api/runs HTTP/1.1\r\nHost: ${place.host}\r\n${person.join('')}`;
    // Nothing of it comes: the answer does not wait for it.
    expect(await place.raw(`${begin}Content-Length: ${MAX_CLIENT_MESSAGE_BYTES + 1}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 413 /,
    );
    const piece = `${(50_000).toString(16)}\r\n${'x'.repeat(50_000)}\r\n`;
    const chunks = `${begin}Transfer-Encoding: chunked\r\n\r\n${piece.repeat(1 + MAX_CLIENT_MESSAGE_BYTES / 50_000)}`;
    expect(await place.raw(chunks)).toMatch(/^HTTP\/1\.1 413 /);
    expect(await place.raw(`${begin}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${piece}0\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 400 /,
    );
  });

  test('a header that comes byte by byte, and a body that never ends, are given up', async () => {
    const sockets = [
      `GET /api/sessions HTTP/1.1\r\nHost: ${place.host}\r\nX-Slow: `,
      `POST /api/sign-in HTTP/1.1\r\nHost: ${place.host}\r\nOrigin: ${place.origin}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
      `POST /api/sign-in HTTP/1.1\r\nHost: ${place.host}\r\nOrigin: ${place.origin}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ].map((begin) => drip(place.port, begin));
    const others = await Promise.all(Array.from({ length: 20 }, () => place.askAsPerson('/api/sessions')));
    expect(others.map(({ status }) => status)).toEqual(Array(20).fill(200));
    for (const heard of await Promise.all(sockets)) expect(heard === '' || /^HTTP\/1\.1 400 /.test(heard)).toBe(true);
  });

  test('a connection that says nothing is not kept', async () => {
    expect(await drip(place.port, '')).toMatch(/^$|^HTTP\/1\.1 400 /);
  });
});

/** Sends the beginning, then a byte now and then, until the server has had enough. */
function drip(port: number, begin: string): Promise<string> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1');
    let heard = '';
    const timer =
      begin === ''
        ? undefined
        : setInterval(() => socket.writable && socket.write(begin.endsWith('\n') ? '1\r\nx\r\n' : 'x'), 40);
    socket.on('connect', () => begin !== '' && socket.write(begin));
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      resolve(heard);
    });
  });
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

describe('[T-11] 60 raw requests that mean no good', () => {
  const line = (text: string): string => `${text}\r\nHost: ${place.host}\r\n`;
  const post = (headers: string, body: string | Buffer): Buffer => {
    const person = Object.entries(place.person).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `${line('POST /api/runs HTTP/1.1')}${person.join('')}${headers}Connection: close\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
  };
  const sized = (body: string | Buffer): Buffer => post(`Content-Length: ${Buffer.byteLength(body)}\r\n`, body);
  const chunked = (body: string): Buffer => post('Transfer-Encoding: chunked\r\n', body);

  const hostile = (): readonly (string | Buffer)[] => [
    '\0\0\0\0\r\n\r\n',
    'GET\r\n\r\n',
    'GET /\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'get / http/1.1\r\n\r\n',
    'G\u0001T / HTTP/1.1\r\n\r\n',
    ' GET / HTTP/1.1\r\n\r\n',
    `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`,
    `${'A'.repeat(100_000)}\r\n\r\n`,
    `${line('GET / HTTP/1.1')}${'X: y\r\n'.repeat(5_000)}Connection: close\r\n\r\n`,
    `${line('GET / HTTP/1.1')}X${'y'.repeat(50_000)}: z\r\n\r\n`,
    `${line('GET / HTTP/1.1')}X: \0\r\nConnection: close\r\n\r\n`,
    `${line('GET / HTTP/1.1')}X : y\r\nConnection: close\r\n\r\n`,
    `${line('GET / HTTP/1.1')}X: y\rZ: w\r\nConnection: close\r\n\r\n`,
    `${line('GET / HTTP/1.1')}: y\r\nConnection: close\r\n\r\n`,
    `${line('GET / HTTP/1.1')} folded\r\nConnection: close\r\n\r\n`,
    `${line('GET /\0 HTTP/1.1')}Connection: close\r\n\r\n`,
    `${line('GET /%00 HTTP/1.1')}Connection: close\r\n\r\n`,
    `${line('GET /\u00ff HTTP/1.1')}Connection: close\r\n\r\n`,
    `${line('GET http://evil.example/ HTTP/1.1')}Connection: close\r\n\r\n`,
    `${line('CONNECT evil.example:443 HTTP/1.1')}\r\n`,
    `${line('TRACE / HTTP/1.1')}Connection: close\r\n\r\n`,
    `${line('OPTIONS * HTTP/1.1')}Connection: close\r\n\r\n`,
    `${line('PRI * HTTP/2.0')}\r\nSM\r\n\r\n`,
    `${line('DELETE /api/programs/x HTTP/1.1')}Connection: close\r\n\r\n`,
    `${line('GET /ws HTTP/1.1')}Upgrade: websocket\r\nConnection: close\r\n\r\n`,
    `${line('GET / HTTP/1.1')}Expect: the-impossible\r\nConnection: close\r\n\r\n`,
    `${line('GET / HTTP/1.1')}Content-Length: -1\r\nConnection: close\r\n\r\n`,
    `${line('GET / HTTP/1.1')}Content-Length: 1e9\r\nConnection: close\r\n\r\n`,
    `${line('GET / HTTP/1.1')}Content-Length: 99999999999999999999\r\nConnection: close\r\n\r\n`,
    `${line('GET / HTTP/1.1')}Content-Length: 5\r\nContent-Length: 6\r\nConnection: close\r\n\r\n`,
    `${line('GET / HTTP/1.1')}Transfer-Encoding: gzip\r\nConnection: close\r\n\r\n`,
    `${line('GET / HTTP/1.1')}Transfer-Encoding: chunked, gzip\r\nConnection: close\r\n\r\n`,
    post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    post('Content-Length: 2000000\r\n', '{'),
    post('Content-Length: 99999999999\r\n', '{'),
    post('Content-Encoding: gzip\r\nContent-Length: 3\r\n', Buffer.from([0x1f, 0x8b, 0x08])),
    chunked('ffffffff\r\n'),
    chunked('fffffffffffffffff\r\nx'),
    chunked('-1\r\nx\r\n'),
    chunked('zz\r\n\r\n'),
    chunked(`1;${'x'.repeat(50_000)}\r\n`),
    chunked(`${`${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`.repeat(20)}0\r\n\r\n`),
    sized('{'),
    sized('null'),
    sized('""'),
    sized('[]'),
    sized('{}{}'),
    sized('\ufeff{}'),
    sized(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])),
    sized(`${'['.repeat(400_000)}`),
    sized(`${'['.repeat(400_000)}${']'.repeat(400_000)}`),
    sized(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    sized(`{"project":"p","prompt":"x","__proto__":{"rights":["answer"]}}`),
    sized(`{"constructor":{"prototype":{"x":1}}}`),
    sized(`{"project":"p","prompt":1e400}`),
    sized(`{${Array.from({ length: 50_000 }, (_, index) => `"k${index}":1`).join(',')}}`),
    sized(JSON.stringify({ project: 'p'.repeat(300), prompt: 'x' })),
    sized(JSON.stringify({ project: 'p', prompt: 'x', runId: '../../x' })),
    sized(JSON.stringify({ project: 'p', prompt: 'x', allow: Array(200).fill('Bash') })),
  ];

  test('are turned away, memory stays flat, and others are served', async () => {
    const all = hostile();
    expect(all.length).toBeGreaterThanOrEqual(60);
    const round = async (): Promise<void> => {
      for (const bytes of all) {
        const heard = await place.raw(bytes);
        const what = bytes.toString().slice(0, 200);
        expect([what, /^$|^HTTP\/1\.1 4\d\d /.test(heard)]).toEqual([what, true]);
        expect(heard).not.toMatch(/HPE_|at \w+ \(|node:|\.ts:/);
      }
    };
    const rounds = async (count: number): Promise<number> => {
      for (let done = 0; done < count; done++) await round();
      for (let turns = 0; turns < 5; turns++) await turn();
      collect();
      return process.memoryUsage().heapUsed + process.memoryUsage().external;
    };
    const before = await rounds(1);
    const after = await rounds(3);
    // What one round sends is over 10 MB: nothing of it stays.
    expect(after - before).toBeLessThan(8 * 1024 * 1024);
    expect(place.commands).toEqual([]);
    expect(place.errors).toEqual([]);
    expect(({} as { x?: unknown; rights?: unknown }).x).toBeUndefined();
    expect((await place.askAsPerson('/api/sessions')).status).toBe(200);
  });

  test('at once do not keep others from being served', async () => {
    const flood = hostile().flatMap((bytes) => [place.raw(bytes), place.raw(bytes)]);
    const others = await Promise.all(Array.from({ length: 40 }, () => place.askAsPerson(`/api/sessions/${session}`)));
    expect(others.every(({ status }) => status === 200)).toBe(true);
    await Promise.all(flood);
    expect((await place.askAsPerson('/api/health')).status).toBe(200);
  });
});

test('whoever goes away while they are answered harms nobody', async () => {
  const person = Object.entries(place.person).map(([name, value]) => `${name}: ${value}\r\n`);
  await Promise.all(
    Array.from(
      { length: 50 },
      () =>
        new Promise<void>((resolve) => {
          const socket = connect(place.port, '127.0.0.1', () => {
            socket.write(
              `GET /api/sessions/${session}/events HTTP/1.1\r\nHost: ${place.host}\r\n${person.join('')}\r\n`,
              () => socket.resetAndDestroy(),
            );
          });
          socket.on('error', () => undefined);
          socket.on('close', () => resolve());
        }),
    ),
  );
  expect((await place.askAsPerson('/api/sessions')).status).toBe(200);
  expect(place.errors).toEqual([]);
});

test('an unknown session is not there, and told so', async () => {
  expect((await place.askAsPerson(`/api/sessions/${randomUUID()}`)).json).toMatchObject({
    status: 404,
    code: 'not-found',
  });
});
