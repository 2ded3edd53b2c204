// Answers on the wire.

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createProblem, type Problem } from '@tailrace/protocol';
import type { PageFile } from './context.ts';
import { ASK_AGAIN, SAFE_HEADERS } from './headers.ts';
import { rangeOf } from './range.ts';

type Headers = Readonly<Record<string, string>>;

/** Something went wrong, or is not allowed. */
export function sendProblem(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
  const bytes = Buffer.from(JSON.stringify(problem));
  // The rest of what was being sent is not waited for.
  const close: Headers = isUnread(request) ? { Connection: 'close' } : {};
  send(request, response, problem.status, bytes, { 'Content-Type': 'application/problem+json', ...close });
}

/** An object; with `hasETag` only to those who do not have it yet. Nothing at all is `204`. */
export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
  { hasETag = false, headers = {} }: { readonly hasETag?: boolean | undefined; readonly headers?: Headers } = {},
): void {
  if (body === undefined) return send(request, response, 204, undefined, headers);
  const bytes = Buffer.from(JSON.stringify(body));
  const type = { 'Content-Type': 'application/json; charset=utf-8', ...headers };
  if (!hasETag) return send(request, response, 200, bytes, type);
  sendTagged(request, response, bytes, digest(bytes), type);
}

/** Bytes that never change under their tag: all of them, or a range. */
export function sendBytes(request: IncomingMessage, response: ServerResponse, bytes: Uint8Array, etag: string): void {
  const type = { 'Content-Type': 'application/octet-stream', 'Accept-Ranges': 'bytes' };
  const isOther = request.headers['if-range'] !== undefined && request.headers['if-range'] !== etag;
  const range = isOther || hasIt(request, etag) ? undefined : rangeOf(request.headers.range, bytes.length);
  if (range === undefined) return sendTagged(request, response, bytes, etag, type);
  if (range === 'none') {
    response.setHeader('Content-Range', `bytes */${bytes.length}`);
    return sendProblem(request, response, {
      ...createProblem('bad-request', `there are ${bytes.length} bytes`),
      status: 416,
    });
  }
  const { start, end } = range;
  send(request, response, 206, bytes.subarray(start, end), {
    ...type,
    ETag: etag,
    'Cache-Control': ASK_AGAIN,
    'Content-Range': `bytes ${start}-${end - 1}/${bytes.length}`,
  });
}

/** A file of the page. */
export function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { body, type, cacheControl }: PageFile,
): void {
  const tag = tags.get(body) ?? digest(body);
  tags.set(body, tag);
  sendTagged(request, response, body, tag, { 'Content-Type': type }, cacheControl);
}

/** Files of the page are sent often, and stay as they are. */
const tags = new WeakMap<Uint8Array, string>();

function sendTagged(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Uint8Array,
  etag: string,
  headers: Headers,
  cacheControl: string = ASK_AGAIN,
): void {
  const tagged = { ETag: etag, 'Cache-Control': cacheControl };
  if (!hasIt(request, etag)) return send(request, response, 200, bytes, { ...headers, ...tagged });
  send(request, response, 304, undefined, tagged);
}

function isUnread({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined);
}

function hasIt({ headers }: IncomingMessage, etag: string): boolean {
  const tags = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags?.includes(etag) ?? false;
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  bytes: Uint8Array | undefined,
  headers: Headers,
): void {
  const length: Headers = bytes ? { 'Content-Length': String(bytes.length) } : {};
  response.writeHead(status, { ...SAFE_HEADERS, ...headers, ...length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function digest(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url')}"`;
}
