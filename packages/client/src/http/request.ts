// One request to the server, and what came of it.

import type { Problem } from '@tailrace/protocol';
import { ClientError, errorOf } from '../errors.ts';
import { REQUEST_MS } from '../limits.ts';
import { addressOf } from '../server-url.ts';

/** Values of an address; what is undefined is left out, and a list is asked for by naming each. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface Ask extends RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | undefined;
  readonly query?: Query | undefined;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Rejects with a {@link ClientError}: with the server's own problem, or `unavailable` when it cannot be reached. */
export type Request = (path: string, ask?: Ask) => Promise<Response>;

export interface RequestSource {
  readonly server: URL;
  readonly token: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

export function createRequest({ server, token, fetch }: RequestSource): Request {
  return async (path, { method = 'GET', query = {}, body, headers, signal } = {}) => {
    const url = addressOf(server, path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const limit = AbortSignal.timeout(REQUEST_MS);
    const response = await fetch(url.href, {
      method,
      headers: {
        accept: 'application/json',
        // Nothing that changes something goes without a body: its type keeps other pages' forms out.
        ...(method !== 'GET' && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
      credentials: 'same-origin',
      referrerPolicy: 'no-referrer',
      // A token follows nobody to another place.
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    }).catch((error: unknown) => {
      throw signal?.aborted
        ? new ClientError('aborted', 'the answer is not waited for any more', { cause: error })
        : new ClientError('unavailable', 'the server cannot be reached', { cause: error });
    });
    if (!response.ok) throw await failureOf(response);
    return response;
  };
}

/** The body of an answer. */
export async function readJson<T>(response: Response): Promise<T> {
  try {
    // The server's schemas say what it is; to look at all of it again would double their weight in a page.
    return (await response.json()) as T;
  } catch (error) {
    throw new ClientError('internal', 'the answer of the server cannot be read', { cause: error });
  }
}

async function failureOf(response: Response): Promise<ClientError> {
  const value: unknown = await response.json().catch(() => undefined);
  if (isProblem(value)) return errorOf(value);
  const code = response.status === 401 ? 'unauthenticated' : response.status === 404 ? 'not-found' : 'unavailable';
  return new ClientError(code, `the server answered with ${response.status}`);
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value && 'title' in value;
}
