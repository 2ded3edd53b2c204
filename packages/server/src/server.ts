// The server, put together: the store is followed, runs are started, and clients are answered, all behind one guard.

import { once as happens } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Reply } from '@tailrace/protocol';
import type { Store } from '@tailrace/store';
import { createAudit } from './control/audit.ts';
import { createProjects } from './control/create-projects.ts';
import { createRewinds } from './control/create-rewinds.ts';
import { createRuns, type RunsOptions } from './control/create-runs.ts';
import { createOnce } from './control/once.ts';
import { type DeadRun, reconcileRuns } from './control/reconcile-runs.ts';
import { createHub } from './feed/hub.ts';
import { createGuard, type GuardOptions } from './guard/guard.ts';
import { openProgramFile } from './guard/program-file.ts';
import { createPrograms } from './guard/programs.ts';
import { createSignIns } from './guard/sign-ins.ts';
import type { HttpParts } from './http/context.ts';
import { createHttp } from './http/create-http.ts';
import { createHttpServer } from './http/create-http-server.ts';
import { createSessionView } from './http/session-view.ts';
import { findPageFile } from './page/find-page-file.ts';
import { createSockets } from './socket/sockets.ts';

export interface ServerOptions extends Pick<RunsOptions, 'agents' | 'programs' | 'waits'> {
  /** Is followed, and not closed. */
  readonly store: Store;
  /** The data folder: the audit log, tokens of programs and trusted folders are kept in it, and agents are kept out of it. */
  readonly folder: string;
  /** The server's own. */
  readonly version: string;
  /** Any that is free, unless set; also when it is taken. */
  readonly port?: number | undefined;
  /** Folders below which runs may be started. */
  readonly roots?: readonly string[] | undefined;
  /** What the agents' environment is made from; ours unless set. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly usage?: HttpParts['usage'];
  /** The person's settings; a program that has the server in it has its own. */
  readonly settings?: HttpParts['settings'];
  /** The page; a plain one unless set. */
  readonly page?: HttpParts['page'];
  /** For a program that has the server in it: whom it lets in. */
  readonly authorize?: GuardOptions['authorize'];
  /** Shows a code to the person who started the server. */
  onCode(code: string): void;
  /** Somebody has come in with the newest code: it is worth nothing any more. */
  onSignIn?(): void;
  /** What nobody else is told. */
  onError?(error: unknown): void;
  readonly heartbeatMs?: number | undefined;
}

export interface TailraceServer {
  readonly url: string;
  readonly port: number;
  /** Runs of a server that died before this one. */
  readonly deadRuns: readonly DeadRun[];
  /** Lines were written to the store by this process. */
  wake(): void;
  /** Settles when what was written is told: whoever writes much waits for it, so that others are heard in between. */
  told(): Promise<void>;
  /** How many sockets, subscriptions and runs that go on there are. */
  readonly counts: { readonly sockets: number; readonly listeners: number; readonly runs: number };
  /** Stops its runs, lets everybody go, and settles when nothing of it is left. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/**
 * Starts a server on loopback.
 *
 * @example
 * const server = await startServer({ store, folder, version: '1.0.0', onCode: (code) => console.log(code) });
 */
export async function startServer(options: ServerOptions): Promise<TailraceServer> {
  const { store, folder, version, env = process.env, onCode, onError } = options;
  const audit = createAudit({ file: join(folder, 'audit.ndjson') });
  const programs = createPrograms(openProgramFile(join(folder, 'programs.json')));
  const signIns = createSignIns();
  const projects = createProjects({ store, roots: options.roots });
  const deadRuns = await reconcileRuns({ store, warn: (message) => onError?.(new Error(message)) });
  const launching = {
    store,
    projects,
    audit,
    env,
    agents: options.agents,
    waits: options.waits,
    ...(options.programs && { programs: options.programs }),
    forbid: [folder],
    trustFile: join(folder, 'trusted-folders.json'),
    warn: (id: string, message: string) => onError?.(new Error(`run ${id}: ${message}`)),
  };
  const runs = createRuns({ ...launching, onKept: () => hub.wake() });
  const rewinds = createRewinds({ ...launching, runs });
  const hub = createHub({
    store,
    async look(ids) {
      const view = createSessionView({ projects, runs, liveRun: hub.liveRun });
      const rows = await Promise.all(ids.map((id) => store.history.session(id)));
      return rows.filter((row) => row !== undefined).map((row) => view.of(row));
    },
    async about(id) {
      const row = await store.history.session(id);
      return row && { agent: row.agent, project: row.cwd === null ? undefined : projects.idOf(row.cwd) };
    },
    ...(onError && { onError }),
  });
  runs.onChange((runId) => {
    const sessionId = runs.get(runId)?.sessionId;
    if (sessionId) hub.touch(sessionId);
  });

  const server = createHttpServer((request, response) => http.listener(request, response));
  const port = await listen(server, options.port ?? 0);
  const { authorize } = options;
  const guard = createGuard({ port, signIns, findProgram: programs.find, ...(authorize && { authorize }) });
  const sockets = createSockets({
    guard,
    hub,
    runs,
    once: createOnce<Reply['result']>(),
    audit,
    version,
    epoch: () => store.epoch(),
    heartbeatMs: options.heartbeatMs,
  });
  const http = createHttp({
    store,
    runs,
    agents: options.agents,
    rewinds,
    projects,
    guard,
    signIns,
    programs,
    audit,
    version,
    usage: options.usage,
    settings: options.settings,
    page: options.page ?? findPageFile,
    onCode,
    ...(options.onSignIn && { onSignIn: options.onSignIn }),
    liveRun: hub.liveRun,
    onLeave: (callerId) => sockets.drop(callerId),
    onLabel: (sessionId) => hub.touch(sessionId),
    ...(onError && { onError }),
  });
  server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head));
  const code = signIns.newCode();
  if (code !== undefined) onCode(code);

  return {
    url: `http://${HOST}:${port}`,
    port,
    deadRuns,
    wake: () => hub.wake(),
    told: () => hub.told(),
    get counts() {
      return { sockets: sockets.count, listeners: hub.listeners, runs: runs.list().length };
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      await runs.close();
      await sockets.close();
      await hub.close();
      server.closeAllConnections();
      await closed;
      await audit.close();
    },
  };
}

/** The port that was asked for, or any other when it is taken. */
async function listen(server: ReturnType<typeof createHttpServer>, port: number): Promise<number> {
  try {
    server.listen(port, HOST);
    await happens(server, 'listening');
  } catch (error) {
    if (port === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return listen(server, 0);
  }
  return (server.address() as AddressInfo).port;
}
