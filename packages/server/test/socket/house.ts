// A whole server on a real store, with somebody who is signed in, and a second handle on the store as another process would have it.

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeProgram } from '@tailrace/protocol';
import { openStore, type Store } from '@tailrace/store';
import { expect, onTestFinished } from 'vitest';
import type { Right } from '../../src/guard/guard.ts';
import { type ServerOptions, startServer, type TailraceServer } from '../../src/server.ts';
import { fakeProgram, type Step } from '../control/runs-of-fake.ts';

/** The header of what the page keeps beside its cookie. */
const KEY_HEADER = 'x-tailrace-key';

export type Headers = Readonly<Record<string, string>>;

interface Ask {
  readonly method?: string;
  readonly headers?: Headers;
  readonly body?: unknown;
}

export interface House {
  readonly folder: string;
  /** A folder below the root, in which runs can be started. */
  readonly work: string;
  /** The server's own. */
  readonly store: Store;
  /** That of another process. */
  readonly other: Store;
  readonly server: TailraceServer;
  readonly host: string;
  /** The headers of somebody who is signed in, on our own page. */
  readonly person: Headers;
  /** What nobody else was told. A test that expects some takes them away. */
  readonly errors: unknown[];
  /** A program with these rights, made by the person: its headers. */
  program(...rights: readonly Right[]): Promise<{ readonly id: string; readonly headers: Headers }>;
  ask(path: string, ask?: Ask): Promise<Response>;
  /** Who did what and who was turned away, as it stands in the log. */
  audit(): readonly Record<string, unknown>[];
  /** What the agents that are started from now on do. */
  script(steps: readonly Step[]): void;
  /** Ends the server and starts another one on the same data. */
  restart(): Promise<void>;
}

export async function openHouse(options: Partial<ServerOptions> = {}): Promise<House> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-socket-')));
  const at = (name: string): string => join(folder, name);
  mkdirSync(at('root/work'), { recursive: true });
  mkdirSync(at('data'), { mode: 0o700 });
  chmodSync(at('data'), 0o700);
  const env = { PATH: process.env['PATH'], HOME: folder, FAKE_AGENT: at('script.json') };
  const errors: unknown[] = [];
  const other = await openStore({ file: at('data/tailrace.db') });
  let store = await openStore({ file: at('data/tailrace.db') });
  let code = '';
  let person: Headers = {};

  async function start(): Promise<TailraceServer> {
    const server = await startServer({
      store,
      folder: at('data'),
      version: '1.2.3',
      roots: [at('root')],
      env,
      programs: () => fakeProgram,
      waits: { quiet: 50, terminate: 100, kill: 200, drain: 200 },
      onCode: (one) => {
        code = one;
      },
      onError: (error) => errors.push(error),
      ...options,
    });
    person = await signIn(server.url, code);
    return server;
  }

  let server = await start();
  onTestFinished(async () => {
    await server.close();
    await store.close();
    await other.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    expect(errors).toEqual([]);
  });

  const ask: House['ask'] = (path, asked = {}) =>
    fetch(`${server.url}${path}`, {
      method: asked.method ?? 'GET',
      headers: { ...person, 'content-type': 'application/json', ...asked.headers },
      ...(asked.body !== undefined && { body: JSON.stringify(asked.body) }),
    });

  return {
    folder,
    work: at('root/work'),
    get store() {
      return store;
    },
    other,
    get server() {
      return server;
    },
    get host() {
      return `127.0.0.1:${server.port}`;
    },
    get person() {
      return person;
    },
    errors,
    async program(...rights) {
      const response = await ask('/api/programs', { method: 'POST', body: { name: 'a program', rights } });
      const made = madeProgram.parse(await response.json());
      return { id: made.program.id, headers: { authorization: `Bearer ${made.token}` } };
    },
    ask,
    audit: () =>
      readFileSync(at('data/audit.ndjson'), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    script: (steps) => writeFileSync(at('script.json'), JSON.stringify(steps)),
    async restart() {
      await server.close();
      await store.close();
      store = await openStore({ file: at('data/tailrace.db') });
      server = await start();
    },
  };
}

/** The headers of somebody who has typed the code on our own page. */
export async function signIn(url: string, code: string): Promise<Headers> {
  const response = await fetch(`${url}/api/sign-in`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  expect(response.status).toBeLessThan(300);
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  const text = await response.text();
  // What the page keeps beside the cookie, and sends with everything.
  const key = text === '' ? undefined : (JSON.parse(text) as { readonly key?: string }).key;
  return { origin: url, cookie, ...(key !== undefined && { [KEY_HEADER]: key }) };
}
