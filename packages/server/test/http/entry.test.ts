// Who gets in over HTTP, on a real socket: other pages, other names, no origin, forged rights (T-03 to T-08, T-10).

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CODE_TRIES } from '../../src/guard/limits.ts';
import { MAX_PROGRAMS } from '../../src/http/limits.ts';
import { keep, openPlace, type Place, recordedLines } from './place.ts';

let place: Place;
let session: string;
beforeAll(async () => {
  place = await openPlace({ parts: { page: () => ({ body: Buffer.from('page'), type: 'text/html' }) } });
  session = await keep(place.store, recordedLines('basic-text'));
});
afterAll(() => place.close());

const start = { project: 'p', prompt: 'x' };
const star = { method: 'PATCH', body: { starred: true } } as const;

/** Nothing was begun, and nothing was written down about the session. */
async function expectUnchanged(): Promise<void> {
  expect(place.commands).toEqual([]);
  expect(await place.store.history.session(session)).toMatchObject({ starred: false, tags: [] });
}

describe('[T-03] another page', () => {
  const cookie = (): Record<string, string> => ({
    cookie: place.person['cookie'] ?? '',
    'x-tailrace-key': place.person['x-tailrace-key'] ?? '',
  });
  const other = { origin: 'https://evil.example' };

  test.each([
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'project=p&prompt=x'],
    ['a form with files', { 'content-type': 'multipart/form-data; boundary=b' }, '--b--'],
    ['text/plain, which needs no question beforehand', { 'content-type': 'text/plain' }, JSON.stringify(start)],
    ['no type at all', {}, JSON.stringify(start)],
    ['two types in one', { 'content-type': 'text/plain, application/json' }, JSON.stringify(start)],
    ['JSON', { 'content-type': 'application/json' }, JSON.stringify(start)],
  ])('starts nothing with %s', async (_, headers, body) => {
    const isOurs = JSON.stringify(headers).includes('"application/json"');
    // With the right type it is refused for where it comes from, with the right page for its type.
    for (const origin of isOurs ? [other.origin] : [other.origin, place.origin]) {
      const ask = { method: 'POST', headers: { ...cookie(), origin, ...headers }, body };
      const answer = await place.ask('/api/runs', ask);
      expect([origin, answer.status, answer.json.code]).toEqual([origin, 403, 'refused']);
    }
    await expectUnchanged();
  });

  test('reads nothing by an image or a script, whatever the browser says about it', async () => {
    for (const site of ['cross-site', 'same-site', 'none'])
      for (const path of [`/api/sessions/${session}`, '/api/sessions', '/api/health']) {
        const { status, text } = await place.ask(path, { headers: { ...cookie(), 'sec-fetch-site': site } });
        expect(status).toBeGreaterThanOrEqual(401);
        expect(text).not.toContain(session);
      }
  });

  test('is given no header that would let it read, and no answer to its question beforehand', async () => {
    const ask = {
      method: 'OPTIONS',
      headers: { ...other, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    };
    const answers = [
      await place.ask('/api/runs', ask),
      await place.ask('/api/sessions', { headers: { ...other, ...cookie() } }),
      await place.askAsPerson('/api/sessions'),
      await place.ask('/'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 200, 200]);
    for (const { headers } of answers)
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('changes nothing by reading: every GET leaves everything as it is', async () => {
    const before = await place.store.record.last();
    for (const path of [
      '/api/runs?prompt=x&project=p',
      `/api/sessions/${session}?starred=true`,
      '/api/programs?name=x',
    ])
      expect((await place.askAsPerson(path)).status).toBeLessThan(500);
    await expectUnchanged();
    expect([await place.store.record.last(), place.programs.list()]).toEqual([before, []]);
  });
});

describe('[T-04] without an origin', () => {
  test.each([['none'], ['null']])('(%s) a cookie is worth nothing for a change', async (origin) => {
    const { origin: _, ...headers } = place.person;
    const given = origin === 'null' ? { ...headers, origin } : headers;
    expect((await place.ask(`/api/sessions/${session}`, { ...star, headers: given })).status).toBe(403);
    expect((await place.ask('/api/runs', { method: 'POST', body: start, headers: given })).status).toBe(403);
    await expectUnchanged();
  });

  test('a cookie is worth nothing for reading either, but on our own page', async () => {
    const cookie = place.person['cookie'] ?? '';
    const own = { cookie, 'x-tailrace-key': place.person['x-tailrace-key'] ?? '' };
    expect((await place.ask('/api/sessions', { headers: own })).status).toBe(401);
    expect((await place.ask('/api/sessions', { headers: { ...own, origin: 'null' } })).status).toBe(403);
    // Other ports of this machine are sent the cookie too: without its key it is worth nothing.
    expect((await place.ask('/api/sessions', { headers: { cookie, origin: place.origin } })).status).toBe(401);
    expect((await place.ask('/api/sessions', { headers: { ...own, 'sec-fetch-site': 'same-origin' } })).status).toBe(
      200,
    );
  });

  test('a token is enough', async () => {
    expect((await place.ask('/api/sessions', { headers: place.program('read') })).status).toBe(200);
    for (const { id } of place.programs.list()) place.programs.remove(id);
  });
});

describe('[T-05] by another name', () => {
  const forms = (port: number): readonly string[] => [
    'evil.example',
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `localhost.:${port}`,
    `LOCALHOST:${port}`,
    `user@127.0.0.1:${port}`,
    `127.0.0.1:${port + 1}`,
    '127.0.0.1',
    `[::1%25eth0]:${port}`,
    `127.1:${port}`,
    `0.0.0.0:${port}`,
    `127.0.0.1:${port}@evil.example`,
    `127.0.0.1:0${port}`,
    ' ',
  ];

  test('nobody gets in, not even with a token or to the page', async () => {
    const { authorization = '' } = place.program('read');
    const wrong = forms(place.port);
    expect(wrong.length).toBeGreaterThanOrEqual(12);
    for (const host of wrong)
      for (const path of ['/', '/api/sessions', '/api/sign-in']) {
        const heard = await place.raw(
          `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
        );
        expect([host, path, heard.split('\r\n')[0]]).toEqual([host, path, 'HTTP/1.1 403 Forbidden']);
      }
    expect(await place.raw('GET /api/sessions HTTP/1.1\r\nConnection: close\r\n\r\n')).toContain(' 403 ');
    expect(await place.raw('GET /api/sessions HTTP/1.0\r\n\r\n')).toContain(' 403 ');
    const right = `GET /api/sessions HTTP/1.1\r\nHost: localhost:${place.port}\r\nAuthorization: ${authorization}\r\n`;
    expect(await place.raw(`${right}Connection: close\r\n\r\n`)).toContain('HTTP/1.1 200 OK');
    for (const { id } of place.programs.list()) place.programs.remove(id);
  });

  test('an address with a name in it is refused', async () => {
    for (const target of [
      `http://${place.host}/api/sessions`,
      '//evil.example/api/sessions',
      '*',
      'api/sessions',
      '/\\evil',
    ]) {
      const headers = Object.entries(place.person).map(([name, value]) => `${name}: ${value}\r\n`);
      const heard = await place.raw(
        `GET ${target} HTTP/1.1\r\nHost: ${place.host}\r\n${headers.join('')}Connection: close\r\n\r\n`,
      );
      expect([target, /^HTTP\/1\.1 40[03] /.test(heard), heard.includes(session)]).toEqual([target, true, false]);
    }
  });

  test.each([
    'Host',
    'Origin',
    'Cookie',
    'X-Tailrace-Key',
    'Authorization',
    'Content-Type',
    'Content-Length',
    'Sec-Fetch-Site',
  ])('two headers %s are refused, though one of them is right', async (name) => {
    const body = JSON.stringify(start);
    const given = new Map([
      ['Host', place.host],
      ['Origin', place.origin],
      ['Cookie', place.person['cookie'] ?? ''],
      ['X-Tailrace-Key', place.person['x-tailrace-key'] ?? ''],
      ['Authorization', 'Basic x'],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(body.length)],
      ['Sec-Fetch-Site', 'same-origin'],
    ]);
    const lines = [...given, [name, given.get(name) ?? '']].map(([key, value]) => `${key}: ${value}\r\n`);
    const heard = await place.raw(`POST /api/runs HTTP/1.1\r\n${lines.join('')}Connection: close\r\n\r\n${body}`);
    expect(heard).toMatch(/^HTTP\/1\.1 40[03] /);
    await expectUnchanged();
  });
});

describe('[T-07] the code', () => {
  test('is shown where the server is, and never in an answer; it lets in once', async () => {
    const own = await openPlace();
    const headers = { origin: own.origin, 'content-type': 'application/json' };
    const enter = (code: string) =>
      own.ask('/api/sign-in', { method: 'POST', headers, body: { code, rights: ['all'] } });
    // One was made a moment ago, for the tests.
    expect((await own.ask('/api/code', { method: 'POST', headers, body: {} })).status).toBe(429);
    await expect
      .poll(async () => (await own.ask('/api/code', { method: 'POST', headers, body: {} })).status, { timeout: 10_000 })
      .toBe(204);
    const [code = ''] = own.codes;
    expect(own.codes).toHaveLength(1);
    const good = await enter(code);
    const { key } = JSON.parse(good.text) as { key: string };
    expect([good.status, key]).toEqual([200, expect.stringMatching(/^[\w-]{43}$/)]);
    const cookie = String(good.headers['set-cookie']);
    expect(cookie).toMatch(/^tailrace-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    expect((await enter(code)).status).toBe(401);
    const session = {
      origin: own.origin,
      cookie: cookie.split(';')[0] ?? '',
      'x-tailrace-key': key,
      'content-type': 'application/json',
    };
    expect((await own.ask('/api/sessions', { headers: session })).status).toBe(200);
    const out = await own.ask('/api/sign-out', { method: 'POST', headers: session, body: {} });
    expect([out.status, String(out.headers['set-cookie'])]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect((await own.ask('/api/sessions', { headers: session })).status).toBe(401);
    const log = JSON.stringify(own.auditLines());
    expect(own.auditLines().map(({ action, result }) => `${action} ${result}`)).toEqual(
      expect.arrayContaining([
        'code too-many',
        'code done',
        'sign-in done',
        'sign-in unauthenticated',
        'sign-out done',
      ]),
    );
    for (const secret of [code, key, cookie.split(/[=;]/)[1] ?? '']) expect(log).not.toContain(secret);
    await own.close();
  });

  test(`is dead after ${CODE_TRIES} wrong ones`, async () => {
    const own = await openPlace({});
    const headers = { origin: own.origin, 'content-type': 'application/json' };
    let code: string | undefined;
    await expect.poll(() => (code = own.signIns.newCode()), { timeout: 10_000 }).toBeDefined();
    const enter = (text: string) => own.ask('/api/sign-in', { method: 'POST', headers, body: { code: text } });
    for (let wrong = 0; wrong < CODE_TRIES; wrong++) expect((await enter('WRONGONE')).status).toBe(401);
    const right = await enter(code ?? '');
    expect([right.status, right.headers['set-cookie']]).toEqual([401, undefined]);
    await own.close();
  });

  test('two servers have different secrets', async () => {
    const [one, other] = [await openPlace(), await openPlace()];
    expect(one.person['cookie']).not.toBe(other.person['cookie']);
    await one.close();
    await other.close();
  });
});

describe('[T-08] rights', () => {
  test('come from the server, whatever a program says', async () => {
    const headers = { ...place.program('read'), 'x-rights': 'run,answer', scope: 'admin' };
    const body = { ...start, rights: ['run'], scope: 'admin', caller: { kind: 'person' } };
    expect((await place.ask('/api/runs?rights=run&scope=admin', { method: 'POST', headers, body })).status).toBe(403);
    const ask = { method: 'POST', headers, body: { name: 'mine', rights: ['answer'], kind: 'person' } };
    expect((await place.ask('/api/programs', ask)).status).toBe(403);
    await expectUnchanged();
  });

  test('a field too many gives a new program nothing', async () => {
    const body = { name: 'ci', rights: ['read'], scope: 'admin', isPerson: true, hash: 'mine', id: 'mine' };
    const { json } = await place.askAsPerson('/api/programs', { method: 'POST', body });
    expect(json.program).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'ci',
      rights: ['read'],
      madeAt: expect.any(Number),
    });
    const headers = { authorization: `Bearer ${json.token}`, 'content-type': 'application/json' };
    expect((await place.ask('/api/sessions', { headers })).status).toBe(200);
    expect((await place.ask('/api/runs', { method: 'POST', headers, body: start })).status).toBe(403);
    const listed = await place.askAsPerson('/api/programs');
    expect(listed.text).toContain(json.program.id);
    expect(listed.text).not.toMatch(/hash|tailrace_/);
    const wrong = { name: 'x', rights: ['admin'] };
    expect((await place.askAsPerson('/api/programs', { method: 'POST', body: wrong })).status).toBe(400);
    const remove = (): Promise<number> =>
      place.askAsPerson(`/api/programs/${json.program.id}`, { method: 'DELETE' }).then(({ status }) => status);
    expect([await remove(), await remove()]).toEqual([204, 404]);
    expect((await place.ask('/api/sessions', { headers })).status).toBe(401);
  });

  test('there are only so many programs', async () => {
    const add = () => place.askAsPerson('/api/programs', { method: 'POST', body: { name: 'x', rights: [] } });
    for (let count = place.programs.list().length; count < MAX_PROGRAMS; count++)
      expect((await add()).status).toBe(200);
    expect((await add()).status).toBe(429);
    for (const { id } of place.programs.list()) place.programs.remove(id);
  });

  test('an address of another server is not looked at', async () => {
    const plain = await place.askAsPerson('/api/sessions');
    const asked = await place.askAsPerson('/api/sessions?server=https%3A%2F%2Fevil.example&program=%2Fbin%2Fsh');
    expect(asked.json).toEqual(plain.json);
  });
});

describe('[T-10] every answer', () => {
  const safe = {
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; " +
      "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };

  test('has the same headers, and none says who we are', async () => {
    const answers = [
      await place.ask('/'),
      await place.ask('/api/sessions'),
      await place.ask('/', { headers: { origin: 'https://evil.example' } }),
      await place.askAsPerson('/api/sessions'),
      await place.askAsPerson(`/api/sessions/${session}`),
      await place.askAsPerson(`/api/sessions/${session}/lines/1`),
      await place.askAsPerson(`/api/sessions/${session}/lines/1`, { headers: { range: 'bytes=0-1' } }),
      await place.askAsPerson('/api/nothing'),
      await place.askAsPerson('/api/runs', { method: 'POST', body: '{' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 403, 200, 200, 200, 206, 404, 400]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject(safe);
      expect(headers['cache-control']).toBe(headers.etag ? 'private, no-cache' : 'no-store');
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['server']));
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['x-powered-by']));
    }
  });

  test('also one to what was not understood', async () => {
    const expectation = `GET / HTTP/1.1\r\nHost: ${place.host}\r\nExpect: the-impossible\r\n\r\n`;
    for (const heard of [await place.raw('NONSENSE\r\n\r\n'), await place.raw(expectation)]) {
      expect(heard).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      for (const [name, value] of Object.entries(safe))
        expect(heard.toLowerCase()).toContain(`${name}: ${value.toLowerCase()}`);
      expect(heard).toContain('application/problem+json');
      expect(heard).not.toMatch(/HPE_|Parse Error|node/i);
    }
  });

  test('no address has a place for a secret', async () => {
    const token = place.program('read')['authorization']?.slice('Bearer '.length) ?? '';
    const cookie = place.person['cookie']?.split('=')[1] ?? '';
    for (const query of [`token=${token}`, `access_token=${token}`, `cookie=${cookie}`, `code=${cookie}`])
      expect((await place.ask(`/api/sessions?${query}`)).status).toBe(401);
    for (const { id } of place.programs.list()) place.programs.remove(id);
  });
});

test('[T-01] [T-05] who was turned away stands in the log, without what they sent', async () => {
  const before = place.auditLines().length;
  const headers = { origin: 'https://evil.example', cookie: 'tailrace-1=sentbythem' };
  await place.ask('/api/sessions/whatever-they-sent', { headers });
  const fresh = place.auditLines().slice(before);
  expect(fresh).toMatchObject([{ action: 'request', result: 'refused', at: expect.any(Number) }]);
  expect(JSON.stringify(fresh)).not.toMatch(/evil|sentbythem|whatever/);
});

test('[T-07] no secret stands in the sources of HTTP', () => {
  const folder = fileURLToPath(new URL('../../src/http/', import.meta.url));
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts')))
    expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(/['"`][A-Za-z0-9_-]{32,}['"`]|secret\s*=\s*['"`]/);
});
