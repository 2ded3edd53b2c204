// The page, and two routes: `useChat` asks the agent, where each message of the person is a run that goes on from the one before, and
// what the agent asks in turn is answered.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { toUIMessageStreamResponse } from '@tailrace/core/ai-sdk';
import { answerRequest, runAgent } from './run-agent.js';

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} Response */
/** @typedef {import('ai').UIMessage<import('@tailrace/core/ai-sdk').AgentMetadata>} Message */

/** @param {Request} request @param {Response} response */
async function handle(request, response) {
  // Any page in the browser can send requests to this machine. Only our own may: it names this machine, and sends JSON.
  const here = `127.0.0.1:${request.socket.localPort}`;
  const { host, origin, 'content-type': type } = request.headers;
  if (host !== here || (origin !== undefined && origin !== `http://${here}`)) return response.writeHead(403).end();
  const { pathname } = new URL(request.url ?? '/', `http://${here}`);
  if (request.method === 'GET') return page(pathname, response);
  if (!/^application\/json\s*(;|$)/i.test(type ?? '')) return response.writeHead(403).end();
  const text = await read(request);
  if (text === undefined) return response.writeHead(413).end('The chat has become too long.');
  const body = JSON.parse(text);
  if (pathname === '/api/chat') return chat(body, response);
  if (pathname === '/api/answer') return answer(body, response);
  response.writeHead(404).end();
}

/** `useChat` sends the whole chat each time, with what the tools gave. In bytes. */
const MAX_BODY = 16 * 1024 * 1024;

/**
 * The body, or undefined when it is too long. Even then it is read to its end: before that, nobody would hear the answer.
 * @param {Request} request
 */
async function read(request) {
  const pieces = [];
  let size = 0;
  for await (const piece of request) {
    size += piece.length;
    if (size <= MAX_BODY) pieces.push(piece);
  }
  return size <= MAX_BODY ? Buffer.concat(pieces).toString() : undefined;
}

/** @param {{ messages: Message[] }} body @param {Response} response */
async function chat({ messages }, response) {
  const prompt =
    messages
      .at(-1)
      ?.parts.map((part) => (part.type === 'text' ? part.text : ''))
      .join('\n') ?? '';
  if (prompt.trim() === '') return response.writeHead(400).end();
  const resume = messages.findLast(({ role }) => role === 'assistant')?.metadata?.sessionId;
  if (resume !== undefined && !isId(resume)) return response.writeHead(400).end();
  const reply = toUIMessageStreamResponse(runAgent({ prompt, resume }), {
    onError: (error) => (error instanceof Error ? error.message : 'It failed.'),
  });
  response.writeHead(reply.status, Object.fromEntries(reply.headers));
  const stream = /** @type {import('node:stream/web').ReadableStream} */ (reply.body);
  // Whoever leaves lets go of the stream, and so of the agent.
  await pipeline(Readable.fromWeb(stream), response).catch(() => {});
}

/** Neither a path nor a flag. @param {unknown} value */
function isId(value) {
  return typeof value === 'string' && /^\w[\w.-]{0,99}$/.test(value);
}

/** @param {{ requestId: string, isAllowed: boolean }} body @param {Response} response */
function answer({ requestId, isAllowed }, response) {
  const isDone = answerRequest(requestId, isAllowed === true);
  response.writeHead(isDone ? 204 : 404).end();
}

const TYPES = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
]);

/** The page as Vite has built it. @param {string} pathname @param {Response} response */
async function page(pathname, response) {
  const name = pathname === '/' ? 'index.html' : /^\/(assets\/[\w-]+\.(?:js|css))$/.exec(pathname)?.[1];
  const body = name && (await readFile(new URL(`dist/${name}`, import.meta.url)).catch(() => undefined));
  if (!body) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': TYPES.get(name.split('.').at(-1) ?? '') }).end(body);
}

const server = createServer((request, response) => {
  handle(request, response).catch(() => (response.headersSent ? response.destroy() : response.writeHead(400).end()));
});
server.listen(Number(process.env.PORT ?? 3102), '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') console.log(`listening on http://127.0.0.1:${address.port}`);
});
