// The server of Node, with its limits (T-11). Upgrades are for whoever listens for them.

import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { createProblem } from '@tailrace/protocol';
import { SAFE_HEADERS } from './headers.ts';
import {
  CHECK_MS,
  HEADERS_MS,
  IDLE_MS,
  KEEP_ALIVE_MS,
  MAX_CONNECTIONS,
  MAX_HEADER_BYTES,
  REQUEST_MS,
} from './limits.ts';

/** Other limits than the usual ones, for tests that cannot wait. */
export interface HttpServerOptions {
  readonly headersMs?: number | undefined;
  readonly requestMs?: number | undefined;
  readonly checkMs?: number | undefined;
}

/** A server that listens to nothing yet. */
export function createHttpServer(listener: RequestListener, options: HttpServerOptions = {}): Server {
  const { headersMs = HEADERS_MS, requestMs = REQUEST_MS, checkMs = CHECK_MS } = options;
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      insecureHTTPParser: false,
      // The guard says so itself, as a problem.
      requireHostHeader: false,
    },
    listener,
  );
  // All of them, or a second one of a kind could hide behind the last that is read. Their size is bounded.
  server.maxHeadersCount = 0;
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = IDLE_MS;
  server.on('clientError', (_error, socket) => refuse(socket as Socket));
  // An expectation that nobody knows is not understood either.
  server.on('checkExpectation', (_request, response) => refuse(response.socket));
  return server;
}

/** What was not understood is told so, and nothing else: not what was wrong with it, and not who we are. */
function refuse(socket: Socket | null): void {
  if (!socket) return;
  // Browsers keep connections in store: one on which nothing was asked is ended without a word, or the word would be taken for the answer
  // to what is asked at that moment.
  if (!socket.writable || socket.bytesWritten > 0 || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const problem = createProblem('bad-request');
  const body = JSON.stringify(problem);
  const headers = {
    ...SAFE_HEADERS,
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} Bad Request\r\n${lines.join('')}\r\n${body}`, () => socket.destroy());
}
