// The body of a request: bounded, whole, JSON, and not too deep.

import type { IncomingMessage } from 'node:http';
import { MAX_DEPTH } from '@tailrace/core';
import { MAX_CLIENT_MESSAGE_BYTES } from '@tailrace/protocol';
import { ProblemError } from '../problem-error.ts';

export interface Body {
  readonly text: string;
  /** An empty body is an empty object. */
  readonly value: unknown;
}

/** Reads and parses it; rejects with a {@link ProblemError}. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const text = decode(await readBytes(request));
  if (text === '') return { text, value: {} };
  const value = parse(text);
  if (isTooDeep(value)) throw new ProblemError('bad-request', `the body nests deeper than ${MAX_DEPTH} levels`);
  return { text, value };
}

async function readBytes(request: IncomingMessage): Promise<Uint8Array> {
  const tooLarge = new ProblemError('too-large', `a body has at most ${MAX_CLIENT_MESSAGE_BYTES} bytes`);
  // Whoever says beforehand that it is too much need not send it.
  if (Number(request.headers['content-length'] ?? 0) > MAX_CLIENT_MESSAGE_BYTES) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    // The connection is still needed for the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > MAX_CLIENT_MESSAGE_BYTES) throw tooLarge;
      chunks.push(chunk);
    }
  } catch (error) {
    if (error === tooLarge) throw error;
    throw new ProblemError('bad-request', 'the body did not come to its end', { cause: error });
  }
  return Buffer.concat(chunks, bytes);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ProblemError('bad-request', 'the body is not UTF-8', { cause: error });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProblemError('bad-request', 'the body is not JSON', { cause: error });
  }
}

/** Without recursion: what parses may nest a million levels deep (T-27). */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue;
      if (depth >= MAX_DEPTH) return true;
      for (const inner of Object.values(one)) next.push(inner);
    }
    level = next;
  }
  return false;
}
