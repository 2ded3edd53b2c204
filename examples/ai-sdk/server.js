// The page, and the route that `useChat` asks: each message of the person is a run of the agent, which goes on from the one before.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { toUIMessageStreamResponse } from '@tailrace/core/ai-sdk';
import { runAgent } from './run-agent.js';

const TYPES = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const server = createServer(async (request, response) => {
  // Any page in the browser can send requests to this machine. Only our own may: it names this machine, and sends JSON.
  const here = `127.0.0.1:${request.socket.localPort}`;
  const { host, origin, 'content-type': type } = request.headers;
  if (host !== here || (origin !== undefined && origin !== `http://${here}`)) return void response.writeHead(403).end();
  const { pathname } = new URL(request.url ?? '/', `http://${here}`);
  if (request.method === 'GET') return void page(pathname, response);
  if (pathname !== '/api/chat' || type !== 'application/json') return void response.writeHead(404).end();

  const events = runAgent(asked(await json(request)));
  const answer = toUIMessageStreamResponse(events, {
    onError: (error) => (error instanceof Error ? error.message : 'It failed.'),
  });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  const body = /** @type {import('node:stream/web').ReadableStream} */ (answer.body);
  // Whoever leaves lets go of the body, and so of the agent.
  await pipeline(Readable.fromWeb(body), response).catch(() => {});
});

/** What the person has just said, and the session that the last answer came from. @param {any} body */
function asked({ messages }) {
  const [last] = messages.slice(-1);
  const prompt = last.parts.map((/** @type {any} */ part) => part.text ?? '').join('\n');
  const { metadata } = messages.findLast((/** @type {any} */ message) => message.role === 'assistant') ?? {};
  return { prompt: String(prompt), resume: metadata?.sessionId === undefined ? undefined : String(metadata.sessionId) };
}

/** The built page. @param {string} pathname @param {import('node:http').ServerResponse} response */
async function page(pathname, response) {
  const name = pathname === '/' ? 'index.html' : pathname.replace(/^\/assets\/([\w-]+\.(?:js|css))$/, 'assets/$1');
  const extension = /** @type {keyof typeof TYPES} */ (name.split('.').at(-1));
  const file = name.startsWith('/') ? undefined : new URL(`dist/${name}`, import.meta.url);
  const body = file && (await readFile(file).catch(() => undefined));
  if (body) response.writeHead(200, { 'content-type': TYPES[extension] }).end(body);
  else response.writeHead(404).end();
}

server.listen(Number(process.env.PORT ?? 3102), '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') console.log(`listening on http://127.0.0.1:${address.port}`);
});
