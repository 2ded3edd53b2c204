// A real server on a real store for the tests: a socket on loopback, files in a folder of its own, and runs that only remember.

import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunInfo } from '@tailrace/protocol';
import { type NewLine, openStore, type Store } from '@tailrace/store';
import { createAudit } from '../../src/control/audit.ts';
import { createProjects } from '../../src/control/create-projects.ts';
import type { Rewinds } from '../../src/control/create-rewinds.ts';
import type { RunReply, Runs } from '../../src/control/runs.ts';
import { type Caller, createGuard, type Right } from '../../src/guard/guard.ts';
import { openProgramFile } from '../../src/guard/program-file.ts';
import { createPrograms, type Programs } from '../../src/guard/programs.ts';
import { createSignIns, type SignIns } from '../../src/guard/sign-ins.ts';
import type { HttpParts } from '../../src/http/context.ts';
import { createHttp, type Http } from '../../src/http/create-http.ts';
import { createHttpServer, type HttpServerOptions } from '../../src/http/create-http-server.ts';
import { ProblemError } from '../../src/problem-error.ts';

interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** What it says, where that is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  readonly json: any;
}

interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Command {
  readonly action: string;
  readonly caller: Caller;
  readonly wanted: unknown;
}

export interface Place {
  readonly folder: string;
  readonly port: number;
  readonly host: string;
  readonly origin: string;
  readonly store: Store;
  readonly signIns: SignIns;
  readonly programs: Programs;
  /** What runs were asked to do. */
  readonly commands: Command[];
  readonly live: RunInfo[];
  readonly codes: string[];
  readonly errors: unknown[];
  /** The headers of somebody who is signed in, on our own page. */
  readonly person: Readonly<Record<string, string>>;
  /** The headers of a program with these rights. */
  program(...rights: readonly Right[]): Readonly<Record<string, string>>;
  ask(path: string, ask?: Ask): Promise<Answered>;
  /** As a person; what is sent is JSON. */
  askAsPerson(path: string, ask?: Ask): Promise<Answered>;
  /** Bytes on a connection; everything that comes back until it is closed. */
  raw(bytes: string | Uint8Array): Promise<string>;
  auditLines(): readonly Record<string, unknown>[];
  close(): Promise<void>;
}

export async function openPlace(
  options: HttpServerOptions & { readonly parts?: Partial<HttpParts> } = {},
): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-http-'));
  chmodSync(folder, 0o700);
  const store = await openStore({ file: join(folder, 'tailrace.db') });
  const commands: Command[] = [];
  const live: RunInfo[] = [];
  const codes: string[] = [];
  const errors: unknown[] = [];
  const signIns = createSignIns();
  const programs = createPrograms(openProgramFile(join(folder, 'programs.json')));
  const audit = createAudit({ file: join(folder, 'audit.log') });
  let http: Http | undefined;
  const server = createHttpServer((question, response) => http?.listener(question, response), options);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  const origin = `http://${host}`;
  const guard = createGuard({ port, signIns, findProgram: programs.find });
  http = createHttp({
    store,
    runs: rememberingRuns(commands, live),
    rewinds: rememberingRewinds(commands),
    projects: createProjects({ store, roots: [] }),
    guard,
    signIns,
    programs,
    audit,
    version: '1.2.3',
    onCode: (code) => codes.push(code),
    onError: (error) => errors.push(error),
    ...options.parts,
  });
  const secrets = signIns.enter(signIns.newCode() ?? '') ?? { cookie: '', key: '' };
  const person = {
    origin,
    cookie: guard.cookieFor(secrets.cookie).split(';')[0] ?? '',
    'x-tailrace-key': secrets.key,
    'content-type': 'application/json',
  };
  const ask = (path: string, asked: Ask = {}): Promise<Answered> => send(port, path, asked);

  return {
    folder,
    port,
    host,
    origin,
    store,
    signIns,
    programs,
    commands,
    live,
    codes,
    errors,
    person,
    program: (...rights) => ({
      authorization: `Bearer ${programs.add('a program', rights).token}`,
      'content-type': 'application/json',
    }),
    ask,
    askAsPerson: (path, asked = {}) => ask(path, { ...asked, headers: { ...person, ...asked.headers } }),
    raw: (bytes) => exchange(port, bytes),
    auditLines: () =>
      readFileSync(join(folder, 'audit.log'), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await audit.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Does what it is told, as far as that is to remember it. */
function rememberingRuns(commands: Command[], live: readonly RunInfo[]): Runs {
  const take =
    (action: string) =>
    async (caller: Caller, wanted: object): Promise<RunReply> => {
      commands.push({ action, caller, wanted });
      const runId = 'runId' in wanted ? String(wanted.runId) : randomUUID();
      if (runId === '00000000-0000-4000-8000-000000000000') throw new ProblemError('not-found', 'there is no such run');
      if (runId === '00000000-0000-4000-8000-00000000dead') throw new Error('a secret of the house');
      return { runId };
    };
  return {
    list: () => live,
    get: (runId) => live.find((run) => run.runId === runId),
    start: take('start'),
    send: take('send'),
    answer: take('answer'),
    interrupt: take('interrupt'),
    stop: take('stop'),
    withSession: (_sessionId, work) => work(),
    onChange: () => () => undefined,
    close: async () => undefined,
  };
}

/** Would do the same whatever is asked. */
function rememberingRewinds(commands: Command[]): Rewinds {
  const facts = (sessionId: string, checkpoint: string) => ({
    sessionId,
    checkpoint,
    cwd: '/somewhere',
    files: [],
    left: [],
    unwatched: [],
    next: { resume: sessionId, resumeAt: 'before', fork: true },
  });
  return {
    async before(caller, wanted) {
      commands.push({ action: 'before', caller, wanted });
      return facts(wanted.sessionId, wanted.checkpoint).next;
    },
    async preview(caller, wanted) {
      commands.push({ action: 'preview', caller, wanted });
      return { ...facts(wanted.sessionId, wanted.checkpoint), digest: 'seen' };
    },
    async rewind(caller, wanted) {
      commands.push({ action: 'rewind', caller, wanted });
      return { ...facts(wanted.sessionId, wanted.checkpoint), failed: [] };
    },
  };
}

function send(port: number, path: string, { method = 'GET', headers = {}, body }: Ask): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
    const question = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { ...length, ...headers },
      agent: false,
    });
    question.on('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      const all = bytes.toString();
      const isJson = /json/.test(response.headers['content-type'] ?? '') && method !== 'HEAD';
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        bytes,
        text: all,
        json: isJson && all !== '' ? JSON.parse(all) : undefined,
      });
    });
    question.on('error', reject);
    question.end(text);
  });
}

function exchange(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
    });
    // A connection that is reset has said all that it will.
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? undefined : reject(error)));
    socket.on('close', () => resolve(heard));
  });
}

const fixtures = fileURLToPath(new URL('../../../../fixtures/claude/2.1.325/', import.meta.url));
/** When the lines arrive, as far as the tests are concerned. */
const ARRIVAL = 1_794_720_000_000;

/** The lines of a recorded run. */
export function recordedLines(name: string): readonly Uint8Array[] {
  const text = readFileSync(join(fixtures, `${name}.ndjson`), 'utf8');
  return text.split(/(?<=\n)/).map((line) => Buffer.from(line));
}

/** Puts lines into the store as a run, and takes them up. Gives the id of their session. */
export async function keep(store: Store, lines: readonly Uint8Array[], at: number = ARRIVAL): Promise<string> {
  const name = `run:${randomUUID()}`;
  const lease = await store.record.claim(name, { kind: 'run', agent: 'claude' });
  const rows = lines.map((bytes, index): NewLine => ({ at: at + index, source: 'stdout', bytes }));
  await store.record.append(name, 1, rows);
  await lease.release();
  await store.history.catchUp();
  const found = await store.history.sessionOf(name);
  return found?.sessionId ?? name;
}

/** A run with a text that is too long to travel. */
export function longLines(sessionId: string, text: string): readonly Uint8Array[] {
  const lines = [
    { type: 'system', subtype: 'init', session_id: sessionId, cwd: '/somewhere', model: 'claude-x', tools: [] },
    {
      type: 'assistant',
      session_id: sessionId,
      message: { id: 'msg_1', role: 'assistant', model: 'claude-x', content: [{ type: 'text', text }], usage: {} },
    },
    { type: 'result', subtype: 'success', session_id: sessionId, is_error: false, num_turns: 1, result: 'x' },
  ];
  return lines.map((line) => Buffer.from(`${JSON.stringify(line)}\n`));
}

/** A folder that is there, for what has to be outside of the place. */
export function outside(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-outside-'));
  mkdirSync(folder, { recursive: true });
  return folder;
}
