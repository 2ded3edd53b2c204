// A server as the page sees it, in the hands of a test: what it has is set, what is asked of it is read.

import type { Client, ClientStatus, FeedMessage, SubscribeOptions } from '@tailrace/client';
import type { RequestEvent } from '@tailrace/core';
import type { Command, EventMessage, RunInfo, SessionInfo, SessionQuery } from '@tailrace/protocol';

export interface TestClient extends Client {
  runs: readonly RunInfo[];
  sessions: readonly SessionInfo[];
  /** Said to whoever subscribes, before it is live. */
  past: readonly FeedMessage[];
  /** What was asked of runs. */
  readonly commands: Command[];
  /** Questions for the list of sessions. */
  readonly queries: SessionQuery[];
  /** Codes that were typed, and how often another was asked for. */
  readonly codes: string[];
  askedForCode: number;
  /** What becomes of a command, a sign-in: throws where they fail. */
  onCommand: (command: Command) => void;
  onSignIn: (code: string) => void;
  /** The events of a line, whole. */
  onWhole: () => Promise<readonly EventMessage[]>;
  setStatus(status: ClientStatus): void;
  /** Something happened: everybody who listens looks again. */
  tell(messages?: readonly FeedMessage[]): void;
}

export function createTestClient(initial: Partial<Pick<TestClient, 'runs' | 'sessions' | 'past'>> = {}): TestClient {
  const listeners = new Set<{ options: SubscribeOptions; hear: (messages: readonly FeedMessage[]) => void }>();
  const statusListeners = new Set<(status: ClientStatus) => void>();
  let status: ClientStatus = { state: 'open', serverVersion: '0.0.0' };
  const client: Omit<TestClient, 'http' | 'status'> & { readonly status: ClientStatus; readonly http: object } = {
    runs: [],
    sessions: [],
    past: [],
    ...initial,
    commands: [],
    queries: [],
    codes: [],
    askedForCode: 0,
    onCommand: () => undefined,
    onSignIn: () => undefined,
    onWhole: async () => [],
    get status() {
      return status;
    },
    onStatus(listener) {
      statusListeners.add(listener);
      return () => void statusListeners.delete(listener);
    },
    setStatus(next) {
      status = next;
      for (const listener of statusListeners) listener(next);
    },
    subscribe(options, hear) {
      const one = { options, hear };
      listeners.add(one);
      queueMicrotask(() => listeners.has(one) && hear([...client.past, { type: 'live' }]));
      return { status: { state: 'live' }, cursor: undefined, close: () => void listeners.delete(one) };
    },
    tell(messages = [{ type: 'live' }]) {
      for (const { hear } of listeners) hear(messages);
    },
    async command(command) {
      client.commands.push(command);
      client.onCommand(command);
      return { runId: 'run' };
    },
    reconnect: () => undefined,
    close: () => undefined,
    http: {
      runs: async () => client.runs,
      sessions: async (query: SessionQuery = {}) => {
        client.queries.push(query);
        const from = Number(query.cursor ?? 0);
        const to = from + (query.limit ?? 100);
        return { items: client.sessions.slice(from, to), next: to < client.sessions.length ? String(to) : null };
      },
      session: async (id: string) => client.sessions.find((session) => session.id === id),
      signIn: async (code: string) => {
        client.codes.push(code);
        client.onSignIn(code);
        client.setStatus({ state: 'open', serverVersion: '0.0.0' });
      },
      wholeEvents: () => client.onWhole(),
      askForCode: async () => void client.askedForCode++,
      signOut: async () => undefined,
    },
  };
  // Tests use no more of it than what stands above.
  return client as TestClient;
}

export function testSession(id: string, more: Partial<SessionInfo> = {}): SessionInfo {
  return {
    id,
    agent: 'claude',
    projectId: 'p',
    project: 'mill',
    cwd: '/mill',
    title: null,
    model: null,
    status: 'success',
    startedAt: Date.now() - 60_000,
    endedAt: Date.now() - 30_000,
    turns: 1,
    usage: { state: 'unknown' },
    costUsd: null,
    costState: 'unknown',
    starred: false,
    tags: [],
    lines: 1,
    lastText: null,
    files: 0,
    subagents: 0,
    live: null,
    ...more,
  };
}

/** A run that waits for answers to these. */
export function testRun(runId: string, requests: readonly RequestEvent[], more: Partial<RunInfo> = {}): RunInfo {
  return {
    runId,
    workOrderId: null,
    agent: 'claude',
    projectId: 'p',
    sessionId: `session-${runId}`,
    state: 'waiting',
    since: Date.now(),
    startedAt: Date.now(),
    progress: null,
    subagents: 0,
    requests: requests.map((request) => ({ request, digest: `digest of ${JSON.stringify(request)}` })),
    ...more,
  };
}
