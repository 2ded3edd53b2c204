// Gives out the page and the core as they are, and, where a token is there, what the agents of a `tailrace serve` do. A page may not ask
// that server itself: it answers no page but its own. The token stays here.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createClient } from '@tailrace/client';
import { WebSocket } from 'ws';

/** @typedef {import('@tailrace/client').FeedMessage} FeedMessage */
/** @typedef {{ subscription: { close(): void }, meanwhile: Extract<FeedMessage, { type: 'event' | 'ended' }>[] }} Anew */

const { TAILRACE_URL: url = 'http://127.0.0.1:7317', TAILRACE_TOKEN: token, PORT: port = '3101' } = process.env;
const core = new URL('.', import.meta.resolve('@tailrace/core'));

/** The file behind a path: of the page, or of the core. @param {string} pathname */
function fileOf(pathname) {
  if (pathname === '/') return new URL('index.html', import.meta.url);
  if (pathname === '/page.js' || pathname === '/show.js') return new URL(`.${pathname}`, import.meta.url);
  const file = new URL(pathname.replace('/core/', './'), core);
  return file.href.startsWith(core.href) && file.pathname.endsWith('.js') ? file : undefined;
}

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function handle(request, response) {
  // A foreign name that leads to this machine is refused: the page behind it could read along.
  const here = `127.0.0.1:${request.socket.localPort}`;
  if (request.headers.host !== here || request.method !== 'GET') return void response.writeHead(403).end();
  const { pathname } = new URL(request.url ?? '/', `http://${here}`);
  if (pathname === '/live') return live(response);
  const file = fileOf(pathname);
  const body = file && (await readFile(file).catch(() => undefined));
  const type = pathname === '/' ? 'text/html; charset=utf-8' : 'text/javascript; charset=utf-8';
  if (body) response.writeHead(200, { 'content-type': type }).end(body);
  else response.writeHead(404).end();
}

/** Everything that happens from now on, as server-sent events. @param {import('node:http').ServerResponse} response */
function live(response) {
  if (!token) return void response.writeHead(503).end('TAILRACE_TOKEN is not set');
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }).flushHeaders();
  const client = createClient({ url, token, WebSocket });
  /** Sessions of which everything is asked for again, with what comes meanwhile. @type {Map<string, Anew>} */
  const anew = new Map();
  /** How far such a session was told by that. @type {Map<string, number>} */
  const toldTo = new Map();

  /** @param {FeedMessage} message */
  function tell(message) {
    response.write(`data: ${JSON.stringify(message)}\n\n`);
  }

  /** @param {Extract<FeedMessage, { type: 'event' | 'ended' }>} message */
  function goOn(message) {
    if (message.type === 'ended' || message.position > (toldTo.get(message.sessionId) ?? 0)) tell(message);
  }

  /** What the page has of a session is void: it gets all of it again, and then what has come meanwhile. @param {string} sessionId */
  function beginAnew(sessionId) {
    anew.get(sessionId)?.subscription.close();
    const subscription = client.subscribe({ view: 'events', sessions: [sessionId] }, (messages) => {
      for (const message of messages) {
        if (message.type === 'event') toldTo.set(sessionId, message.position);
        if (message.type === 'event' || message.type === 'ended') tell(message);
        if (message.type === 'reset') tell({ ...message, sessionId });
        if (message.type !== 'live' && message.type !== 'gone') continue;
        subscription.close();
        const meanwhile = anew.get(sessionId)?.meanwhile ?? [];
        anew.delete(sessionId);
        return meanwhile.forEach(goOn);
      }
    });
    anew.set(sessionId, { subscription, meanwhile: [] });
  }

  /** Everything begins anew by itself. */
  function stopAll() {
    for (const { subscription } of anew.values()) subscription.close();
    anew.clear();
    toldTo.clear();
  }

  client.subscribe({ view: 'events' }, (messages) => {
    for (const message of messages) {
      if (message.type === 'live' || message.type === 'reset') tell(message);
      if (message.type === 'reset') {
        if (message.sessionId !== undefined) beginAnew(message.sessionId);
        else stopAll();
      } else if (message.type === 'event' || message.type === 'ended') {
        const waiting = anew.get(message.sessionId)?.meanwhile;
        if (waiting) waiting.push(message);
        else goOn(message);
      }
    }
  });
  response.on('close', () => client.close());
}

const server = createServer((request, response) => {
  handle(request, response).catch(() => response.writeHead(400).end());
});
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') console.log(`listening on http://127.0.0.1:${address.port}`);
});
