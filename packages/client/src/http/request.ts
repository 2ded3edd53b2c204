// One request to the server, and what came of it.

import { KEY_HEADER, type Problem } from '@tailrace/protocol';
import { ClientError, errorOf, isClientError } from '../errors.ts';
import { REQUEST_MS } from '../limits.ts';
import { addressOf } from '../server-url.ts';

/** Values of an address; what is undefined is left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

interface Ask extends RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | undefined;
  readonly query?: Query | undefined;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Each rejects with a {@link ClientError}: with the server's own problem, or `unavailable` when it cannot be reached in time. */
export interface Requests {
  /** The body of the answer. */
  json<T>(path: string, ask?: Ask): Promise<T>;
  /** The answer as soon as it begins: it may be long. */
  open(path: string, ask?: Ask): Promise<Response>;
  /** Ends those that are under way, and begins no more. */
  close(): void;
}

export interface RequestsOptions {
  readonly server: URL;
  readonly token: string | undefined;
  /** Of the person who is signed in. */
  key(): string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

export function createRequests({ server, token, key, fetch }: RequestsOptions): Requests {
  const underWay = new Set<AbortController>();
  let isClosed = false;

  async function ask<T>(path: string, wanted: Ask, read: (response: Response) => Promise<T> | T): Promise<T> {
    const { signal } = wanted;
    if (isClosed) throw new ClientError('closed', 'the client is closed');
    const url = addressOf(server, path);
    for (const [name, value] of Object.entries(wanted.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const end = new AbortController();
    const giveUp = (): void => end.abort();
    const timer = setTimeout(giveUp, REQUEST_MS);
    underWay.add(end);
    signal?.addEventListener('abort', giveUp);
    if (signal?.aborted) giveUp();
    try {
      const response = await fetch(url.href, initOf(wanted, credentialsOf(token, key()), end.signal));
      if (!response.ok) throw await failureOf(response);
      return await read(response);
    } catch (error) {
      if (isClientError(error)) throw error;
      if (isClosed) throw new ClientError('closed', 'the client was closed', { cause: error });
      if (signal?.aborted) throw new ClientError('aborted', 'the answer is not waited for any more', { cause: error });
      throw new ClientError('unavailable', 'the server cannot be reached', { cause: error });
    } finally {
      clearTimeout(timer);
      underWay.delete(end);
      signal?.removeEventListener('abort', giveUp);
    }
  }

  return {
    json: <T>(path: string, wanted: Ask = {}) => ask(path, wanted, readJson<T>),
    open: (path, wanted = {}) => ask(path, wanted, (response) => response),
    close() {
      isClosed = true;
      for (const end of underWay) end.abort();
    },
  };
}

/** A program has a token, a person a key beside the cookie. */
function credentialsOf(token: string | undefined, key: string | undefined): Readonly<Record<string, string>> {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  return key === undefined ? {} : { [KEY_HEADER]: key };
}

function initOf(
  { method = 'GET', body, headers }: Ask,
  credentials: Readonly<Record<string, string>>,
  signal: AbortSignal,
): RequestInit {
  return {
    method,
    headers: {
      accept: 'application/json',
      // Nothing that changes something goes without a body: its type keeps other pages' forms out.
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
      ...credentials,
      ...headers,
    },
    ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
    credentials: 'same-origin',
    referrerPolicy: 'no-referrer',
    // A token follows nobody to another place.
    redirect: 'error',
    signal,
  };
}

async function readJson<T>(response: Response): Promise<T> {
  const text = await response.text();
  try {
    // The server's schemas say what it is; to look at all of it again would double their weight in a page.
    return (text === '' ? undefined : JSON.parse(text)) as T;
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
