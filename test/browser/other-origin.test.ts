// Other pages in the browser of somebody who is signed in: they get nothing, and they change nothing.

import type { SessionInfo } from '@tailrace/protocol';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { call } from '../../packages/cli/test/command.ts';
import { send } from '../../packages/cli/test/serve/person.ts';
import { createPlace, type Served, serve, until } from '../../packages/cli/test/serve/served.ts';
import { browserTest, openBrowser, REBOUND } from './chromium.ts';
import { resultsOf, script, servePage } from './other-page.ts';
import { isSignedIn, signInPage } from './signed-in.ts';

const SECRET_TITLE = 'Say hello';
const OTHER = 'the request comes from another page';
const CLOSED = [1006];

/** A server with a session in it that nobody else may see. */
async function busyServer(): Promise<Served> {
  const place = createPlace();
  place.script([['init'], ['prompt'], ['result']]);
  await call(['run', '--cwd', place.project, SECRET_TITLE], { env: place.env });
  return serve(place);
}

/** The answers of the server that a page could read. */
const readable = (results: Record<string, unknown>): string => JSON.stringify(results);

browserTest(
  '[T-02] a page of another origin gets no socket and no frame, though the browser has the cookie',
  async () => {
    const served = await busyServer();
    const context = await openBrowser();
    const own = await signInPage(context, served);
    // The page itself came before it was signed in.
    const entered = served.audit().length;
    const { port } = served;
    const tries = {
      number: `return socketTo('ws://127.0.0.1:${port}/ws')`,
      name: `return socketTo('ws://localhost:${port}/ws')`,
      six: `return socketTo('ws://[::1]:${port}/ws')`,
    };
    const other = await servePage(script(tries));
    for (const host of ['127.0.0.1', 'localhost']) {
      const before = refusals(served, 'socket');
      const page = await context.newPage();
      await page.goto(`http://${host}:${other.port}/`);
      expect(await resultsOf(page)).toEqual({ number: CLOSED, name: CLOSED, six: CLOSED });
      // Two of the three names lead here.
      await until(() => refusals(served, 'socket') === before + 2);
    }
    const tried = served.audit().slice(entered);
    expect(tried.filter(({ action, detail }) => action === 'socket' && detail !== OTHER)).toEqual([]);
    expect(await isSignedIn(own)).toBe(true);
  },
);

browserTest('[T-02] the page of the server under its other name is not this one: it has no cookie', async () => {
  const served = await busyServer();
  const context = await openBrowser();
  await signInPage(context, served);
  const page = await context.newPage();
  await page.goto(`http://localhost:${served.port}/`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await isSignedIn(page)).toBe(false);
});

browserTest('[T-01] the cookie alone, which every port of this machine is sent, opens nothing', async () => {
  const served = await busyServer();
  const context = await openBrowser();
  const own = await signInPage(context, served);
  const other = await servePage('a preview of what an agent builds');
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${other.port}/`);
  const [cookie = ''] = other.cookies;
  expect(cookie).toContain(`tailrace-${served.port}=`);
  const stolen = { cookie, origin: served.url, 'sec-fetch-site': 'same-origin' };
  expect((await send(served.port, '/api/sessions', stolen)).status).toBe(401);
  expect((await send(served.port, '/api/sign-out', stolen, {})).status).toBe(401);
  // A page over there cannot read what the page of the server keeps.
  expect(await page.evaluate("localStorage.getItem('tailrace-key')")).toBeNull();
  expect(await isSignedIn(own)).toBe(true);
});

browserTest('[T-03] what another page sends changes nothing', async () => {
  const served = await busyServer();
  const context = await openBrowser();
  const own = await signInPage(context, served);
  const before = await stateOf(own);
  const [session] = before.sessions;
  const { url } = served;
  const start = JSON.stringify({ project: session?.projectId, prompt: 'mine' });
  const label = `${url}/api/sessions/${session?.id}`;
  const text = (path: string, init: string): string =>
    `return read('${url}${path}', { method: 'POST', body: ${JSON.stringify(start)}, ${init} })`;
  const tries = {
    plainRun: text('/api/runs', "headers: { 'content-type': 'text/plain' }"),
    plainOut: text('/api/sign-out', "headers: { 'content-type': 'text/plain' }"),
    jsonRun: text('/api/runs', "headers: { 'content-type': 'application/json' }"),
    jsonOut: text('/api/sign-out', "headers: { 'content-type': 'application/json' }"),
    blindRun: text('/api/runs', "mode: 'no-cors', headers: { 'content-type': 'text/plain;application/json' }"),
    blindOut: text('/api/sign-out', "mode: 'no-cors'"),
    label: `return read('${label}', { method: 'PATCH', body: '{"title":"mine"}', headers: { 'content-type': 'application/json' } })`,
    form: `const form = document.createElement('form');
      form.method = 'post'; form.action = '${url}/api/sign-out'; form.enctype = 'text/plain'; form.target = 'hole';
      const field = document.createElement('input'); field.name = '{"a":"'; field.value = '"}'; form.append(field);
      document.body.append(form);
      await new Promise((done) => { document.querySelector('iframe').onload = done; form.submit(); });`,
    image: `await new Promise((done) => { const image = new Image(); image.onload = image.onerror = done; image.src = '${url}/api/sign-out'; document.body.append(image); });`,
    beacon: `return navigator.sendBeacon('${url}/api/sign-out', new Blob(['{}'], { type: 'text/plain' }))`,
    jsonBeacon: `return navigator.sendBeacon('${url}/api/sign-out', new Blob(['{}'], { type: 'application/json' }))`,
    peep: `return read('${url}/api/sessions')`,
    peepBlind: `return read('${url}/api/sessions', { mode: 'no-cors' })`,
    code: text('/api/code', "headers: { 'content-type': 'text/plain' }"),
  };
  const other = await servePage(`<iframe name="hole"></iframe>${script(tries)}`);
  const entered = served.audit().length;
  for (const host of ['127.0.0.1', 'localhost']) {
    const page = await context.newPage();
    await page.goto(`http://${host}:${other.port}/`);
    expect(readable(await resultsOf(page))).not.toContain(SECRET_TITLE);
  }
  // All of them came to the guard, each as what it is: nothing of it was done, and nothing was answered.
  await until(() => served.audit().length >= entered + 2 * Object.keys(tries).length);
  expect(
    new Set(
      served
        .audit()
        .slice(entered)
        .map(({ result, detail }) => `${result}: ${detail}`),
    ),
  ).toEqual(new Set([`refused: ${OTHER}`]));
  expect(await stateOf(own)).toEqual(before);
  expect(served.codes()).toHaveLength(1);
});

browserTest('[T-04] a sandboxed frame, whose origin is null, gets nothing', async () => {
  const served = await busyServer();
  const context = await openBrowser();
  const own = await signInPage(context, served);
  const before = await stateOf(own);
  const { port, url } = served;
  const inner = script({
    origin: 'return self.origin',
    socket: `return socketTo('ws://127.0.0.1:${port}/ws')`,
    read: `return read('${url}/api/sessions')`,
    out: `return read('${url}/api/sign-out', { method: 'POST', mode: 'no-cors', body: '{}' })`,
  });
  const frame = `<iframe sandbox="allow-scripts" srcdoc="${inner.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`;
  const listen = '<script>onmessage = ({ data }) => { window.results = data; };</script>';
  const other = await servePage(listen + frame);
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${other.port}/`);
  const results = await resultsOf(page);
  expect(results).toMatchObject({ origin: 'null', socket: CLOSED });
  expect(readable(results)).not.toContain(SECRET_TITLE);
  await until(() => served.audit().filter(({ detail }) => detail === OTHER).length >= 3);
  expect(await stateOf(own)).toEqual(before);
});

browserTest('[T-05] a name that was made to lead here (DNS rebinding) leads nowhere', async () => {
  const served = await busyServer();
  const context = await openBrowser();
  const own = await signInPage(context, served);
  const before = await stateOf(own);
  const page = await context.newPage();
  const there = `http://${REBOUND}:${served.port}`;
  expect((await page.goto(`${there}/`))?.status()).toBe(403);
  // The page came from elsewhere, before the name changed; from then on it is of one origin with the server.
  const tries = {
    page: "return read('/')",
    read: "return read('/api/sessions')",
    enter: `return read('/api/sign-in', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"code":"${served.codes()[0]}"}' })`,
    socket: `return socketTo('ws://${REBOUND}:${served.port}/ws')`,
  };
  await page.route(`${there}/rebound`, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html>${script(tries)}` }),
  );
  await page.goto(`${there}/rebound`);
  const refused = ['basic', 403, expect.stringContaining('the server has another name')];
  expect(await resultsOf(page)).toEqual({ page: refused, read: refused, enter: refused, socket: CLOSED });
  expect(await stateOf(own)).toEqual(before);
});

interface State {
  readonly sessions: readonly SessionInfo[];
  readonly runs: readonly unknown[];
}

/** What the person sees; throws when they are no longer signed in. */
async function stateOf(page: Page): Promise<State> {
  const read = (path: string): Promise<{ items: never[] }> =>
    page.evaluate(
      `fetch('${path}', { headers: { 'x-tailrace-key': localStorage.getItem('tailrace-key') ?? '' } }).then((reply) => reply.ok ? reply.json() : Promise.reject(new Error(reply.status)))`,
    );
  const [sessions, runs] = await Promise.all([read('/api/sessions'), read('/api/runs')]);
  expect(sessions.items.length).toBe(1);
  return { sessions: sessions.items, runs: runs.items };
}

function refusals(served: Served, action: string): number {
  return served.audit().filter((line) => line.action === action && line.result === 'refused').length;
}
