// Who gets in, and who does not: the same for requests and for upgrades.

import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { fileURLToPath } from 'node:url';
import { KEY_HEADER, keyProtocol } from '@tailrace/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Caller, createGuard, type GuardOptions, type Knock } from './guard.ts';
import { CODE_LENGTH, CODE_MS, CODE_PAUSE_MS, CODE_TRIES, MAX_SIGN_INS, SECRET_BYTES, SIGN_IN_MS } from './limits.ts';
import { createSignIns, type Secrets, type SignIns } from './sign-ins.ts';

const NOTHING: Secrets = { cookie: '', key: '' };
const PORT = 4711;
const HOST = `127.0.0.1:${PORT}`;
const ORIGIN = `http://${HOST}`;
const program: Caller = { kind: 'program', id: 'ci', rights: new Set(['read']) };

function signedIn(): { readonly signIns: SignIns; readonly cookie: string; readonly key: string } {
  const signIns = createSignIns();
  const { cookie = '', key = '' } = signIns.enter(signIns.newCode() ?? '') ?? {};
  return { signIns, cookie: `tailrace-${PORT}=${cookie}`, key };
}

const { signIns, cookie, key } = signedIn();
const guard = createGuard({
  port: PORT,
  signIns,
  findProgram: (token) => (token === 'good-token' ? program : undefined),
});

/** Where there is a cookie there is the key, unless it is said otherwise. */
function knock(given: IncomingHttpHeaders, more: Partial<Knock> = {}): Knock {
  const headers = given.cookie === undefined ? given : { [KEY_HEADER]: key, ...given };
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
  return { method: 'GET', target: '/api/sessions', headers, rawHeaders, isUpgrade: false, ...more };
}
const isLetIn = (headers: IncomingHttpHeaders, more: Partial<Knock> = {}, by = guard): boolean =>
  by.check(knock(headers, more)).isLetIn;
const post = { method: 'POST' } as const;
const json = { 'content-type': 'application/json' } as const;

describe('a person', () => {
  test('is let in from our own page, to read, to write and to listen', () => {
    expect(isLetIn({ host: HOST, cookie, 'sec-fetch-site': 'same-origin' })).toBe(true);
    expect(isLetIn({ host: HOST, cookie, origin: ORIGIN })).toBe(true);
    expect(isLetIn({ host: HOST, cookie, origin: ORIGIN, ...json }, post)).toBe(true);
    expect(
      isLetIn({ host: HOST, cookie, origin: ORIGIN, ...json, 'content-type': 'application/json; charset=utf-8' }, post),
    ).toBe(true);
    expect(isLetIn({ host: HOST, cookie, origin: ORIGIN }, { isUpgrade: true })).toBe(true);
    expect(isLetIn({ host: `localhost:${PORT}`, cookie, origin: `http://localhost:${PORT}` })).toBe(true);
  });

  test('[T-01] with the cookie alone is nobody: other ports of this machine are sent it too', () => {
    const own = { host: HOST, cookie, origin: ORIGIN };
    for (const wrong of [undefined, '', 'wrong', `${key}x`, signedIn().key]) {
      expect([wrong, isLetIn({ ...own, [KEY_HEADER]: wrong })]).toEqual([wrong, false]);
      const protocols = wrong === undefined ? 'tailrace' : `tailrace, ${keyProtocol(wrong)}`;
      const upgrade = { ...own, [KEY_HEADER]: undefined, 'sec-websocket-protocol': protocols };
      expect([wrong, isLetIn(upgrade, { isUpgrade: true })]).toEqual([wrong, false]);
    }
    expect(isLetIn({ host: HOST, origin: ORIGIN, [KEY_HEADER]: key })).toBe(false);
    const right = { ...own, [KEY_HEADER]: undefined, 'sec-websocket-protocol': `tailrace, ${keyProtocol(key)}` };
    expect(isLetIn(right, { isUpgrade: true })).toBe(true);
    const twice = { ...right, 'sec-websocket-protocol': `${keyProtocol('wrong')}, ${keyProtocol(key)}` };
    expect(isLetIn(twice, { isUpgrade: true })).toBe(false);
  });

  test('may do everything, and has a name', () => {
    const verdict = guard.check(knock({ host: HOST, cookie, origin: ORIGIN }));
    expect(verdict).toMatchObject({
      caller: { kind: 'person', id: 'person-1', rights: new Set(['read', 'run', 'answer']) },
    });
  });

  test('without a sign-in is a stranger, who sees the static page and nothing else', () => {
    expect(guard.check(knock({ host: HOST }))).toMatchObject({
      isStranger: true,
      problem: { code: 'unauthenticated' },
    });
    expect(isLetIn({ host: HOST, origin: ORIGIN, cookie: `tailrace-${PORT}=wrong` })).toBe(false);
    expect(isLetIn({ host: HOST, origin: ORIGIN, cookie: `tailrace-${PORT + 1}=${cookie.split('=')[1]}` })).toBe(false);
    // Somebody else put a second one beside it.
    expect(isLetIn({ host: HOST, origin: ORIGIN, cookie: `${cookie}; ${cookie}` })).toBe(false);
  });
});

describe('a program', () => {
  test('is let in with its token and only with its rights, without a page', () => {
    const headers = { host: HOST, authorization: 'Bearer good-token' };
    expect(guard.check(knock(headers))).toEqual({ isLetIn: true, caller: program });
    expect(isLetIn({ ...headers, ...json }, post)).toBe(true);
    expect(isLetIn(headers, { isUpgrade: true })).toBe(true);
  });

  test.each(['Bearer wrong', 'Bearer ', 'good-token', 'Basic good-token', 'bearer good-token', 'Bearer good-token x'])(
    'is not let in with %j, not even beside a sign-in that it has found',
    (authorization) => {
      const wrong = { host: HOST, authorization, ...json };
      expect(isLetIn(wrong, post)).toBe(false);
      if (authorization === 'Bearer wrong') expect(isLetIn({ ...wrong, cookie, origin: ORIGIN }, post)).toBe(false);
    },
  );

  test('[T-08] has the rights that the server knows, whatever it says', () => {
    const headers = { host: HOST, authorization: 'Bearer good-token', 'x-rights': 'answer', scope: 'answer' };
    expect(guard.check(knock(headers, { target: '/api/sessions?rights=answer' }))).toEqual({
      isLetIn: true,
      caller: program,
    });
  });
});

/** Everything of T-02 to T-05, as a request and as an upgrade [T-06]. */
describe.each([
  ['a request', {}],
  ['an upgrade', { isUpgrade: true }],
])('%s', (_, more) => {
  test.each([
    'https://evil.example',
    'http://127.0.0.1',
    `http://127.0.0.1:${PORT + 1}`,
    `https://${HOST}`,
    `http://${HOST}.evil.example`,
    `http://evil.example/${HOST}`,
    `${ORIGIN}/`,
    ORIGIN.toUpperCase(),
    '',
  ])('[T-02] [T-03] from the page %j is refused', (origin) => {
    expect(guard.check(knock({ host: HOST, cookie, origin }, more))).toMatchObject({ isStranger: false });
    expect(isLetIn({ host: HOST, cookie, origin, ...json }, { ...post, ...more })).toBe(false);
  });

  test('[T-04] without a page, or from one that hides where it is from, is refused', () => {
    expect(isLetIn({ host: HOST, cookie, origin: 'null' }, more)).toBe(false);
    expect(isLetIn({ host: HOST, authorization: 'Bearer good-token', origin: 'null' }, more)).toBe(false);
    expect(isLetIn({ host: HOST, cookie }, more)).toBe(false);
    expect(isLetIn({ host: HOST, cookie, 'sec-fetch-site': 'none' }, more)).toBe(false);
    expect(isLetIn({ host: HOST, cookie, 'sec-fetch-site': 'cross-site' }, more)).toBe(false);
    expect(isLetIn({ host: HOST, cookie, ...json }, { ...post, ...more })).toBe(false);
  });

  test.each([
    undefined,
    '',
    '127.0.0.1',
    `127.0.0.1:${PORT + 1}`,
    `127.0.0.1.:${PORT}`,
    `localhost.:${PORT}`,
    `LOCALHOST:${PORT}`,
    `user@127.0.0.1:${PORT}`,
    `evil.example:${PORT}`,
    `127.0.0.1:${PORT}.evil.example`,
    `127.0.0.1:0${PORT}`,
    `[::1%25lo]:${PORT}`,
    `0.0.0.0:${PORT}`,
    `2130706433:${PORT}`,
    ` 127.0.0.1:${PORT}`,
  ])('[T-05] for the host %j is refused', (host) => {
    for (const origin of [ORIGIN, `http://${host}`])
      expect(guard.check(knock({ ...(host !== undefined && { host }), cookie, origin }, more))).toMatchObject({
        isStranger: false,
      });
  });

  test.each(['http://127.0.0.1/api', '*', '//evil.example/', '/\\evil', 'api', ''])(
    'for the target %j is refused',
    (target) => {
      expect(isLetIn({ host: HOST, cookie, origin: ORIGIN }, { ...more, target })).toBe(false);
    },
  );

  test.each(['Host', 'Origin', 'Cookie', 'Authorization'])('with two of %s is refused', (name) => {
    const one = knock({ host: HOST, cookie, origin: ORIGIN, authorization: 'Bearer good-token' }, more);
    expect(guard.check({ ...one, rawHeaders: [...one.rawHeaders, name, 'x'] })).toMatchObject({ isStranger: false });
  });
});

test.each([
  undefined,
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/jsonx',
  'text/plain; application/json',
])('[T-03] what is sent as %j is refused', (type) => {
  const headers = { host: HOST, cookie, origin: ORIGIN, ...(type !== undefined && { 'content-type': type }) };
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) expect(isLetIn(headers, { method })).toBe(false);
});

test('[T-04] whoever would change something has to name the page, also to sign in', () => {
  const own = { host: HOST, 'sec-fetch-site': 'same-origin' };
  expect(guard.check(knock({ ...own, ...json }, post))).toMatchObject({ isStranger: false });
  expect(guard.check(knock({ ...own, cookie, ...json }, post))).toMatchObject({ isStranger: false });
  expect(guard.check(knock({ ...own, cookie }, { isUpgrade: true }))).toMatchObject({ isStranger: false });
  expect(isLetIn({ ...own, cookie, origin: ORIGIN, ...json }, { ...post, isUpgrade: true })).toBe(false);
});

test.each(['cross-site', 'same-site'])('[T-03] another page, %s, does not even get the static one', (site) => {
  expect(guard.check(knock({ host: HOST, 'sec-fetch-site': site }))).toMatchObject({ isStranger: false });
});

test('a program that has the server in it says who gets in, behind host and origin', () => {
  const authorize: GuardOptions['authorize'] = (headers) =>
    headers['x-key'] === 'k' ? { kind: 'host', id: 'app', rights: new Set(['read']) } : undefined;
  const own = createGuard({ port: PORT, signIns: createSignIns(), authorize });
  expect(isLetIn({ host: HOST, origin: ORIGIN, 'x-key': 'k' }, {}, own)).toBe(true);
  expect(isLetIn({ host: HOST, origin: ORIGIN }, {}, own)).toBe(false);
  expect(isLetIn({ host: HOST, origin: 'https://evil.example', 'x-key': 'k' }, {}, own)).toBe(false);
  expect(isLetIn({ host: 'evil.example', 'x-key': 'k' }, {}, own)).toBe(false);
});

test('whatever comes, nobody gets in without a secret', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(HOST, ORIGIN, 'null', 'same-origin', 'Bearer x', `tailrace-${PORT}=`),
  );
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom('host', 'origin', 'cookie', 'authorization', 'sec-fetch-site', 'content-type'),
        text,
      ),
      fc.string(),
      fc.boolean(),
      (headers, target, isUpgrade) => {
        expect(isLetIn(headers, { target, isUpgrade })).toBe(false);
      },
    ),
  );
});

test('[T-10] the cookie can be read by no script, and goes to no other page', () => {
  expect(guard.cookieFor('s')).toBe(`tailrace-${PORT}=s; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000`);
  expect(createGuard({ port: PORT, signIns, isSecure: true }).cookieFor('s')).toContain('; Secure');
});

describe('[T-07] signing in', () => {
  function atTime() {
    let now = 1_000_000;
    return { signIns: createSignIns({ clock: () => now }), pass: (ms: number) => (now += ms) };
  }

  test('takes the code once, however it is typed', () => {
    const { signIns: own } = atTime();
    const code = own.newCode() ?? '';
    expect(code).toMatch(new RegExp(`^[2-9A-HJ-NP-Z]{${CODE_LENGTH}}$`));
    const secrets = own.enter(` ${code.toLowerCase()}\n`) ?? NOTHING;
    for (const secret of Object.values(secrets)) expect(Buffer.from(secret, 'base64url')).toHaveLength(SECRET_BYTES);
    expect(secrets.key).not.toBe(secrets.cookie);
    expect(own.find(secrets)).toMatchObject({ id: 'person-1' });
    expect(own.find({ ...secrets, key: secrets.cookie })).toBeUndefined();
    expect(own.enter(code)).toBeUndefined();
  });

  test('is over for a code after the last wrong try, and after its time', () => {
    const { signIns: own, pass } = atTime();
    const code = own.newCode() ?? '';
    for (let count = 0; count < CODE_TRIES; count++) expect(own.enter('WRONG')).toBeUndefined();
    expect(own.enter(code)).toBeUndefined();
    pass(CODE_PAUSE_MS);
    const next = own.newCode() ?? '';
    for (let count = 1; count < CODE_TRIES; count++) own.enter('WRONG');
    pass(CODE_MS);
    expect(own.enter(next)).toBeDefined();
    pass(CODE_PAUSE_MS);
    const late = own.newCode() ?? '';
    pass(CODE_MS + 1);
    expect(own.enter(late)).toBeUndefined();
  });

  test('gives no codes in a row, and a new one ends the old', () => {
    const { signIns: own, pass } = atTime();
    const first = own.newCode() ?? '';
    expect(own.newCode()).toBeUndefined();
    pass(CODE_PAUSE_MS);
    const second = own.newCode() ?? '';
    expect(own.enter(first)).toBeUndefined();
    expect(own.enter(second)).toBeDefined();
  });

  test('ends by itself, by leaving, and for the longest unseen when there are too many', () => {
    const { signIns: own, pass } = atTime();
    const enter = (): Secrets => {
      pass(CODE_PAUSE_MS);
      return own.enter(own.newCode() ?? '') ?? NOTHING;
    };
    const first = enter();
    own.leave(own.find(first)?.id ?? '');
    expect(own.find(first)).toBeUndefined();
    const second = enter();
    const others = Array.from({ length: MAX_SIGN_INS }, enter);
    expect(own.find(second)).toBeUndefined();
    expect(others.every((secrets) => own.find(secrets))).toBe(true);
    pass(SIGN_IN_MS + 1);
    expect(own.find(others[0] ?? NOTHING)).toBeUndefined();
  });

  test('has other secrets at each start, and none in the code', () => {
    const made = Array.from({ length: 20 }, () => signedIn().cookie);
    expect(new Set(made).size).toBe(made.length);
    const folder = fileURLToPath(new URL('../', import.meta.url));
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /(?<!test)\.ts$/.test(name),
    ))
      expect(readFileSync(folder + file, 'utf8')).not.toMatch(/['"`][\w-]{40,}['"`]/);
  });
});
