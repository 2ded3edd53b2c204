// Whose server it is. Where none runs for the data folder the view has one in its own process, and lets itself in with a token that
// nobody else ever sees; a server that runs already is asked as the page asks it, with the code from its terminal. No token is kept on
// the disk: an agent that runs as the same person could read it there (T-01).

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Client, createClient, type WebSocketConstructor } from '@tailrace/client';
import { type Caller, RIGHTS } from '@tailrace/server';
import { WebSocket } from 'ws';
import { type Serving, startServing } from '../../serve/start-serving.ts';
import { type Codes, createCodes } from './codes.ts';
import { personClient } from './person-client.ts';

export interface Connected {
  readonly client: Client;
  readonly url: string;
  /** The server of this process; nothing where it is another's. */
  readonly serving: Serving | undefined;
  /** The codes of our own server; none are known of another's. */
  readonly codes: Codes;
}

export interface ConnectOptions {
  readonly version: string;
  warn(message: string): void;
}

export async function connect({ version, warn }: ConnectOptions): Promise<Connected> {
  const token = randomBytes(32).toString('base64url');
  const board = createCodes();
  let isBegun = false;
  const serving = await startServing({
    port: 0,
    roots: [],
    isWatching: true,
    version,
    authorize: authorizer(token),
    onListening: () => {},
    // The first one is made without anybody asking for it.
    onCode: (code) => board.show(code, isBegun),
    onSignIn: board.used,
    warn,
  });
  if ('takenBy' in serving) {
    if (serving.takenBy === undefined)
      throw new Error('a server for this data folder is starting at the moment: try again');
    return { client: personClient(serving.takenBy), url: serving.takenBy, serving: undefined, codes: createCodes() };
  }
  isBegun = true;
  const { url } = serving.server;
  // Of `ws` only what a browser's has is used.
  const client = createClient({ url, token, WebSocket: WebSocket as unknown as WebSocketConstructor });
  return { client, url, serving, codes: board };
}

/** Lets the view in, and nobody else: compared in a time that tells nothing. */
function authorizer(token: string): (headers: IncomingHttpHeaders) => Caller | undefined {
  const wanted = Buffer.from(`Bearer ${token}`);
  const caller: Caller = { kind: 'host', id: 'view', rights: new Set(RIGHTS) };
  return ({ authorization }) => {
    const given = Buffer.from(authorization ?? '');
    return given.length === wanted.length && timingSafeEqual(given, wanted) ? caller : undefined;
  };
}
