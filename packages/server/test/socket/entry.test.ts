// Every way in that is none, as an upgrade: the guard stands before the socket too.

import { expect, test } from 'vitest';
import { type Headers, type House, openHouse } from './house.ts';
import { handshake, speak } from './raw.ts';

/** What a handshake comes to. Not a frame is sent where it is refused, and the log has it. */
async function knock(house: House, text: string): Promise<number | undefined> {
  const before = house.audit().length;
  const raw = await speak(house.server.port, text);
  await raw.until(({ status }) => status === 101);
  if (raw.status === 101) return 101;
  expect(raw.frames).toEqual([]);
  expect(raw.head).not.toMatch(/sec-websocket-accept/i);
  const entries = house.audit().slice(before);
  expect(entries).toEqual([expect.objectContaining({ action: 'socket' })]);
  expect(entries[0]?.['result']).not.toBe('done');
  return raw.status;
}

const without = (headers: Headers, name: string): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));

test('[T-02] [T-06] a person on our own page, and a program with a token, get a socket', async () => {
  const house = await openHouse();
  const { headers } = await house.program('read');
  expect(await knock(house, handshake({ host: house.host, ...house.person }))).toBe(101);
  expect(await knock(house, handshake({ host: house.host, ...headers }))).toBe(101);
  const name = `localhost:${house.server.port}`;
  expect(await knock(house, handshake({ ...house.person, host: name, origin: `http://${name}` }))).toBe(101);
});

test('[T-02] [T-04] [T-06] another page, one that is called null, and one without a name get none', async () => {
  const house = await openHouse();
  const { headers: token } = await house.program('read');
  const host = house.host;
  const origins = [
    'http://evil.example',
    `https://${host}`,
    `http://${host}.evil.example`,
    `http://evil.example:${house.server.port}`,
    `http://127.0.0.1:${house.server.port + 1}`,
    `http://${host}/`,
    `HTTP://${host}`,
    'null',
    'file://',
    '',
  ];
  for (const origin of origins) {
    expect([origin, await knock(house, handshake({ ...house.person, host, origin }))]).toEqual([origin, 403]);
    // A token does not make another page ours.
    expect([origin, await knock(house, handshake({ ...token, host, origin }))]).toEqual([origin, 403]);
  }
  const noOrigin = without(house.person, 'origin');
  expect(await knock(house, handshake({ ...noOrigin, host }))).toBe(403);
  expect(await knock(house, handshake({ ...noOrigin, host, 'sec-fetch-site': 'same-origin' }))).toBe(403);
  expect(await knock(house, handshake({ ...noOrigin, host, 'sec-websocket-origin': `http://${host}` }))).toBe(403);
});

test('[T-05] [T-06] by another name nobody gets one', async () => {
  const house = await openHouse();
  const { headers: token } = await house.program('read');
  const { port } = house.server;
  const names = [
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
    '',
  ];
  expect(names.length).toBeGreaterThanOrEqual(12);
  for (const host of names) {
    expect([host, await knock(house, handshake({ ...house.person, host }))]).toEqual([host, 403]);
    expect([host, await knock(house, handshake({ ...token, host }))]).toEqual([host, 403]);
    expect([host, await knock(house, handshake({ ...house.person, host, origin: `http://${host}` }))]).toEqual([
      host,
      403,
    ]);
  }
  expect(await knock(house, handshake(token))).toBe(403);
});

test('[T-06] without a secret, or with a wrong one, nobody gets one', async () => {
  const house = await openHouse();
  const host = house.host;
  const cookie = house.person['cookie'] ?? '';
  const origin = house.person['origin'] ?? '';
  const name = cookie.split('=')[0];
  const key = house.person['x-tailrace-key'] ?? '';
  const own = { host, origin, 'x-tailrace-key': key };
  const persons: readonly Headers[] = [
    { ...own },
    // Without its key, or with another one, the cookie is worth nothing.
    { host, origin, cookie },
    { host, origin, cookie, 'x-tailrace-key': `${key}x` },
    { host, origin, cookie, 'sec-websocket-protocol': 'tailrace, tailrace.key.wrong' },
    { ...own, cookie: `${name}=` },
    { ...own, cookie: `${name}=wrong` },
    { ...own, cookie: cookie.slice(0, -1) },
    { ...own, cookie: `${cookie}x` },
    { ...own, cookie: `${cookie}; ${cookie}` },
    { ...own, cookie: `${cookie}; ${name}=wrong` },
    { ...own, cookie: cookie.replace(/^tailrace-\d+/, 'tailrace-1') },
    { host, origin, authorization: cookie },
    // Whoever shows a token is that program, whatever cookies there are.
    { ...own, cookie, authorization: 'Bearer wrong' },
    { host, authorization: 'Bearer wrong' },
  ];
  for (const headers of persons) expect([headers, await knock(house, handshake(headers))]).toEqual([headers, 401]);
  const { headers } = await house.program('read');
  const { authorization = '' } = headers;
  for (const one of [
    `bearer ${authorization.slice(7)}`,
    `Basic ${authorization.slice(7)}`,
    `Bearer  ${authorization.slice(7)}`,
  ])
    expect([one, await knock(house, handshake({ host, authorization: one }))]).toEqual([one, 403]);
  // No address carries a secret.
  for (const target of [
    `/ws?token=${authorization.slice(7)}`,
    `/ws?authorization=${encodeURIComponent(authorization)}`,
  ])
    expect(await knock(house, handshake({ host, origin }, [], target))).toBe(401);
});

test('[T-06] an address with a name in it, another method and two headers of a kind are refused', async () => {
  const house = await openHouse();
  const good = { host: house.host, ...house.person };
  for (const target of [`http://${house.host}/ws`, '//evil.example/ws', `ws://${house.host}/ws`, '/\\ws'])
    expect([target, await knock(house, handshake(good, [], target))]).toEqual([target, 403]);
  for (const method of ['POST', 'PUT', 'HEAD'])
    expect([method, await knock(house, handshake(good, [], '/ws', method))]).toEqual([method, 403]);
  for (const [name, value] of Object.entries(good)) {
    for (const second of [value, 'evil.example'])
      expect([name, await knock(house, handshake(good, [`${name.toUpperCase()}: ${second}`]))]).toEqual([name, 403]);
  }
  const { headers } = await house.program('read');
  const authorization = headers['authorization'] ?? '';
  expect(await knock(house, handshake({ host: house.host, authorization }, [`Authorization: ${authorization}`]))).toBe(
    403,
  );
});

test('elsewhere there is no socket, and a token that may not read has none', async () => {
  const house = await openHouse();
  const good = { host: house.host, ...house.person };
  for (const target of ['/', '/ws/', '/ws/x', '/api/sessions', '/WS', '/%77s'])
    expect([target, await knock(house, handshake(good, [], target))]).toEqual([target, 404]);
  const { headers, id } = await house.program('run', 'answer');
  expect(await knock(house, handshake({ host: house.host, ...headers }))).toBe(403);
  expect(house.audit().at(-1)).toMatchObject({ action: 'socket', caller: id, result: 'refused' });
  const none = await house.program();
  expect(await knock(house, handshake({ host: house.host, ...none.headers }))).toBe(403);
});
