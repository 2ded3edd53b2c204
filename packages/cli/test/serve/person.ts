// A person at a server: signed in as a browser is, over HTTP and on a socket.

import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import type { Frame, ServerMessage, Subscribe } from '@tailrace/protocol';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Served } from './served.ts';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Person {
  readonly cookie: string;
  /** Who it is, as headers. */
  readonly headers: { readonly origin: string; readonly cookie: string; readonly 'x-tailrace-key': string };
  /** What is under an address; something is sent when there is a body. */
  ask(path: string, body?: unknown): Promise<Reply>;
  /** The same, understood. */
  json<T>(path: string, body?: unknown): Promise<T>;
  listen(subscribe?: Partial<Subscribe>): Promise<Listening>;
}

export interface Listening {
  /** Everything that was said so far, with the time it came. */
  readonly heard: readonly { readonly at: number; readonly message: ServerMessage }[];
  /** The first message from now on, or from before, that fits. */
  hear(fits: (message: ServerMessage) => boolean): Promise<ServerMessage>;
  readonly closed: Promise<number>;
}

/** Types the newest code. */
export async function signIn(served: Pick<Served, 'port' | 'url' | 'codes'>): Promise<Person> {
  const own = { origin: served.url };
  const { status, headers, text } = await send(served.port, '/api/sign-in', own, { code: served.codes().at(-1) });
  const cookie = headers['set-cookie']?.[0]?.split(';')[0];
  if (status !== 200 || cookie === undefined) throw new Error(`not signed in: ${status}`);
  const { key } = JSON.parse(text) as { key: string };
  const signed = { ...own, cookie, 'x-tailrace-key': key };
  const ask: Person['ask'] = (path, body) => send(served.port, path, signed, body);
  return {
    cookie,
    headers: signed,
    ask,
    async json<T>(path: string, body?: unknown): Promise<T> {
      const reply = await ask(path, body);
      if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
      return JSON.parse(reply.text) as T;
    },
    listen: (subscribe) => listen(served, signed, subscribe),
  };
}

/** One request on a connection of its own, with any headers at all. */
export function send(port: number, path: string, headers: OutgoingHttpHeaders, body?: unknown): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const about = text === undefined ? {} : { 'content-type': 'application/json' };
    const method = text === undefined ? 'GET' : 'POST';
    const question = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { ...about, ...headers },
      agent: false,
    });
    question.on('error', reject).on('response', (response) => {
      let all = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        all += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: all }));
      response.on('error', reject);
    });
    question.end(text);
  });
}

async function listen(
  { port }: Pick<Served, 'port'>,
  headers: Person['headers'],
  subscribe: Partial<Subscribe> = {},
): Promise<Listening> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers });
  onTestFinished(() => socket.terminate());
  const heard: { at: number; message: ServerMessage }[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data) => {
    const at = Date.now();
    const { messages } = JSON.parse(data.toString()) as Frame;
    for (const message of messages) heard.push({ at, message });
    for (const look of waiting) look();
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  const hear: Listening['hear'] = (fits) =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = heard.find(({ message }) => fits(message));
        if (!found) return;
        waiting.delete(look);
        resolve(found.message);
      };
      waiting.add(look);
      look();
    });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.send(JSON.stringify({ type: 'subscribe', subscriptionId: 'one', view: 'sessions', ...subscribe }));
  await hear(({ type }) => type === 'live');
  return { heard, hear, closed };
}
