// The page as a person meets it: signing in, and a list that is live.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call } from '../../packages/cli/test/command.ts';
import { createPlace, serve, until } from '../../packages/cli/test/serve/served.ts';
import { browserTest, openBrowser } from './chromium.ts';
import { servePage } from './other-page.ts';
import { connected, signInPage, typeCode } from './signed-in.ts';

browserTest('the code is typed, in either case, and the page says that it is live', async () => {
  const served = await serve();
  const page = await (await openBrowser()).newPage();
  await page.goto(served.url);
  const [code = ''] = served.codes();
  await typeCode(page, ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4).toLowerCase()} `);
  await connected(page);
  await page.getByText('There is no session yet').waitFor();
  // It stays so.
  await page.reload();
  await connected(page);
});

browserTest('[T-07] after five wrong codes the right one is wrong too; another is shown in the terminal', async () => {
  const served = await serve();
  const page = await (await openBrowser()).newPage();
  await page.goto(served.url);
  const enter = async (code: string): Promise<number> => {
    const reply = page.waitForResponse('**/api/sign-in');
    await typeCode(page, code);
    return (await reply).status();
  };
  for (const left of ['4 tries are left', '3 tries are left', '2 tries are left', 'One try is left', 'show another']) {
    expect(await enter('22222222')).toBe(401);
    await page.getByRole('alert').getByText(left).waitFor();
  }
  expect(await enter(served.codes()[0] ?? '')).toBe(401);
  await page.getByRole('alert').getByText('That is not the code').waitFor();
  // Not right after the one before.
  await until(async () => {
    await page.getByRole('button', { name: 'Show another code' }).click();
    return served.codes().length === 2;
  });
  expect(served.codes()[1]).not.toBe(served.codes()[0]);
  expect(await enter(served.codes()[1] ?? '')).toBe(200);
  await connected(page);
  expect(
    served.audit().filter(({ action, result }) => action === 'sign-in' && result === 'unauthenticated'),
  ).toHaveLength(6);
});

browserTest('a session that starts appears by itself, and changes by itself', async () => {
  const place = createPlace();
  const go = join(place.folder, 'go');
  place.script([['init'], ['prompt'], ['text', 'Hm.'], ['await-file', go], ['result']]);
  const page = await signInPage(await openBrowser(), await serve(place));
  await page.evaluate('window.isTheSame = true');
  const run = call(['run', '--cwd', place.project, '<b>Tidy up</b>'], { env: place.env });
  const working = page.getByRole('region', { name: 'Working (1)' });
  await working.getByRole('link', { name: '<b>Tidy up</b>' }).waitFor();
  await working.getByText('working', { exact: true }).first().waitFor();
  writeFileSync(go, '');
  const earlier = page.getByRole('region', { name: 'Earlier (1)' });
  await earlier.getByRole('link', { name: '<b>Tidy up</b>' }).waitFor();
  await earlier.locator('span').getByText('ended well', { exact: true }).waitFor();
  expect((await run).code).toBe(0);
  await working.waitFor({ state: 'detached' });
  expect(await page.evaluate('window.isTheSame')).toBe(true);
});

browserTest('when the server comes again, the page asks for its code', async () => {
  const served = await serve();
  const page = await signInPage(await openBrowser(), served);
  served.child.kill('SIGTERM');
  await served.ended;
  await page.getByRole('status').getByText('not connected').waitFor();
  await page.getByRole('button', { name: 'Try again now' }).waitFor();
  const next = await serve(served, { words: ['--port', String(served.port)] });
  expect(next.port).toBe(served.port);
  await typeCode(page, next.codes()[0] ?? '');
  await connected(page);
});

browserTest('[T-08] nothing in the address tells the page where to connect', async () => {
  const served = await serve();
  const other = await servePage('');
  const context = await openBrowser();
  const sockets: string[] = [];
  const asked: string[] = [];
  context.on('request', (request) => void asked.push(request.url()));
  const page = await signInPage(context, served);
  page.on('websocket', (socket) => void sockets.push(socket.url()));
  const there = `ws://127.0.0.1:${other.port}/ws`;
  for (const address of [`?server=${there}`, `#server=${there}`, `?host=127.0.0.1:${other.port}#server=${there}`]) {
    await page.goto('about:blank');
    await page.goto(`${served.url}/${address}`);
    await connected(page);
  }
  expect(sockets).toEqual(Array(3).fill(`ws://127.0.0.1:${served.port}/ws`));
  expect(asked.filter((url) => !url.startsWith(`${served.url}/`) && !url.startsWith('data:'))).toEqual([]);
  expect([other.visits, other.upgrades]).toEqual([[], []]);
});

browserTest('[T-10] the page cannot be shown in a frame', async () => {
  const served = await serve();
  const context = await openBrowser();
  await signInPage(context, served);
  const other = await servePage(`<iframe src="${served.url}/"></iframe>`);
  const page = await context.newPage();
  const refused = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
  await page.goto(`http://127.0.0.1:${other.port}/`);
  await refused;
  for (const frame of page.frames().slice(1)) expect(await frame.content()).not.toContain('sessions');
});

browserTest(
  '[T-10] no address has a code or a secret in it, and no other page is told where one came from',
  async () => {
    const place = createPlace();
    place.script([['init'], ['prompt'], ['result']]);
    const served = await serve(place);
    const context = await openBrowser();
    const addresses: string[] = [];
    context.on('request', (request) => void addresses.push(request.url(), request.headers()['referer'] ?? ''));
    context.on('page', (page) => void page.on('websocket', (socket) => void addresses.push(socket.url())));
    const page = await signInPage(context, served);
    await call(['run', '--cwd', place.project, 'x'], { env: place.env });
    await page.getByRole('link', { name: 'x', exact: true }).waitFor();
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    // Once before the code was typed, and once after.
    expect(addresses.filter((address) => address.startsWith('ws:'))).toEqual(
      Array(2).fill(`ws://127.0.0.1:${served.port}/ws`),
    );
    expect(addresses.join('\n')).not.toContain(await page.evaluate("localStorage.getItem('tailrace-key')"));
    for (const secret of [served.codes()[0] ?? '', cookie?.value ?? '']) {
      expect(secret.length).toBeGreaterThan(7);
      expect(addresses.join('\n')).not.toContain(secret);
      expect(await page.evaluate('document.cookie + JSON.stringify([localStorage, sessionStorage])')).not.toContain(
        secret,
      );
    }
  },
);

browserTest('[T-10] every answer has the same headers', async () => {
  const served = await serve();
  const page = await signInPage(await openBrowser(), served);
  for (const path of ['/', '/theme.js', '/icon.svg', '/sessions/x', '/api/sessions', '/api/nothing', '/nothing']) {
    const headers = (
      await page.request.get(served.url + path, { headers: { 'sec-fetch-site': 'same-origin' } })
    ).headers();
    const {
      'content-length': _length,
      'content-type': _type,
      date: _date,
      etag: _etag,
      'cache-control': cache,
      ...rest
    } = headers;
    expect(cache, path).toMatch(/^(no-store|private, no-cache)$/);
    expect(rest, path).toEqual({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      connection: 'keep-alive',
      'keep-alive': 'timeout=5',
    });
  }
});
