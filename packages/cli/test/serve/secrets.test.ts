// Secrets are made at each start, and none is in what is installed.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { signIn } from './person.ts';
import { serve } from './served.ts';

test('[T-07] two starts have nothing in common: neither the code nor what a browser gets for it', async () => {
  const first = await serve();
  const old = await signIn(first);
  first.child.kill('SIGTERM');
  await first.ended;
  const second = await serve(first);
  const fresh = await signIn(second);
  expect(second.codes()[0]).not.toBe(first.codes()[0]);
  const [one, other] = [old.cookie, fresh.cookie].map((cookie) => cookie.split('=')[1] ?? '');
  expect(one).not.toBe(other);
  // 256 bits.
  expect([one, other].map((secret) => Buffer.from(secret ?? '', 'base64url').length)).toEqual([32, 32]);
});

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
/** Alphabets, and the constant of the WebSocket protocol. */
const KNOWN: readonly RegExp[] = [
  /^23456789ABCDEFGHJKLMNPQRSTUVWXYZ$/,
  /^258EAFA5-E914-47DA-95CA-C5AB0DC85B11$/,
  /abcdef(ghij)?/i,
  /^WS_ERR_/,
];

test('[T-07] nothing in the bundle looks like a secret', () => {
  const files = ['tailrace.js', ...readdirSync(`${dist}chunks`).map((name) => `chunks/${name}`)];
  const strings = files.flatMap((file) => readFileSync(dist + file, 'utf8').match(/(["'`])[\w+/=-]{20,}\1/g) ?? []);
  expect(strings.length).toBeGreaterThan(50);
  const found = new Set(
    strings.map((text) => text.slice(1, -1)).filter((text) => (text.match(/\d/g) ?? []).length > 1),
  );
  expect([...found].filter((text) => !/^-?\d+$/.test(text) && !KNOWN.some((known) => known.test(text)))).toEqual([]);
});
