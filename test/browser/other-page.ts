// A page of somebody else on this machine, which tries what it can.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

export interface OtherPage {
  readonly port: number;
  /** Who came, and what was asked for. */
  readonly visits: readonly string[];
  /** How often somebody wanted a socket here. */
  readonly upgrades: readonly string[];
  /** The cookies that browsers brought along. */
  readonly cookies: readonly string[];
}

/** Serves a page with a script on loopback. */
export async function servePage(body: string): Promise<OtherPage> {
  const visits: string[] = [];
  const upgrades: string[] = [];
  const cookies: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    visits.push(`${request.method} ${request.url}`);
    if (request.headers.cookie !== undefined) cookies.push(request.headers.cookie);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>Other</title><body>${body}</body>`);
  });
  server.on('upgrade', (request, socket) => {
    upgrades.push(String(request.url));
    socket.destroy();
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, visits, upgrades, cookies };
}

/** The script of such a page: does all of it, and leaves what came of it in `window.results`. */
export function script(tries: Readonly<Record<string, string>>): string {
  const all = Object.entries(tries).map(([name, code]) => `${JSON.stringify(name)}: async () => { ${code} }`);
  return `<script>
const socketTo = (url) => new Promise((done) => {
  const frames = [];
  const socket = new WebSocket(url);
  socket.onopen = () => frames.push('open');
  socket.onmessage = ({ data }) => { frames.push(data); done(frames); };
  socket.onclose = ({ code }) => done([...frames, code]);
});
const read = (url, init) => fetch(url, { credentials: 'include', ...init }).then(async (reply) => [reply.type, reply.status, await reply.text()], (error) => [String(error)]);
(async () => {
  const results = {};
  for (const [name, attempt] of Object.entries({ ${all.join(',\n')} })) results[name] = await attempt().catch(String);
  if (window.parent !== window) window.parent.postMessage(results, '*');
  window.results = results;
})();
</script>`;
}

/** What came of it. */
export async function resultsOf(page: Page): Promise<Record<string, unknown>> {
  await page.waitForFunction('window.results !== undefined');
  return (await page.evaluate('window.results')) as Record<string, unknown>;
}
