// Every route of the server as a call.

import type { TodoEntry } from '@tailrace/core';
import type {
  AgentInfo,
  CallInfo,
  CheckpointInfo,
  Command,
  CommandReply,
  EventMessage,
  EventPage,
  EventQuery,
  FileInfo,
  Found,
  Health,
  LabelChange,
  MadeProgram,
  MessageInfo,
  NewProgram,
  Page,
  PageQuery,
  PersonSettings,
  ProgramInfo,
  ProjectInfo,
  RewindBody,
  RewindPreviewBody,
  RewindPreviewReply,
  RewindReply,
  RunInfo,
  SearchQuery,
  SessionDetail,
  SessionPage,
  SessionQuery,
  SettingsChange,
  SignInReply,
  SpendingRow,
  StartBefore,
  UsageAnswer,
  UsageQuery,
} from '@tailrace/protocol';
import type { Query, RequestOptions, Requests } from './request.ts';

/** The server's routes. Each call rejects with a `ClientError`. */
export interface Http {
  /** Those that were last active first. */
  sessions(query?: SessionQuery, options?: RequestOptions): Promise<SessionPage>;
  session(sessionId: string, options?: RequestOptions): Promise<SessionDetail>;
  /** Gives a session a name, a star or tags. */
  label(sessionId: string, change: LabelChange, options?: RequestOptions): Promise<SessionDetail>;
  events(sessionId: string, query?: EventQuery, options?: RequestOptions): Promise<EventPage>;
  messages(sessionId: string, query?: PageQuery, options?: RequestOptions): Promise<Page<MessageInfo>>;
  calls(sessionId: string, query?: PageQuery, options?: RequestOptions): Promise<Page<CallInfo>>;
  files(sessionId: string, query?: PageQuery, options?: RequestOptions): Promise<Page<FileInfo>>;
  todos(sessionId: string, query?: PageQuery, options?: RequestOptions): Promise<Page<TodoEntry>>;
  checkpoints(sessionId: string, query?: PageQuery, options?: RequestOptions): Promise<Page<CheckpointInfo>>;
  /** A line of the record as it came; `ref` is that of a string which was too long to travel. It may be large: read it as a stream. */
  line(ref: string, options?: LineOptions): Promise<Response>;
  /** What each answer took and cost, in the order of their times. The costs add up to the session's. */
  spending(sessionId: string, options?: RequestOptions): Promise<readonly SpendingRow[]>;
  /** The events that a line told, with nothing cut: for one that came with `cut`, by its `position`. */
  wholeEvents(sessionId: string, position: number, options?: RequestOptions): Promise<readonly EventMessage[]>;
  /** With what a run goes on from before a prompt, in a session of its own. */
  startBefore(
    sessionId: string,
    query: { readonly checkpoint: string },
    options?: RequestOptions,
  ): Promise<StartBefore>;
  /** What going back to before a prompt would do. Nothing is touched. */
  previewRewind(sessionId: string, body: RewindPreviewBody, options?: RequestOptions): Promise<RewindPreviewReply>;
  /** Goes back, if that still does what was shown: `conflict` when it does not. */
  rewind(sessionId: string, body: RewindBody, options?: RequestOptions): Promise<RewindReply>;
  search(query: SearchQuery, options?: RequestOptions): Promise<Found>;
  usage(query?: UsageQuery, options?: RequestOptions): Promise<UsageAnswer>;
  /** Those that go on, the oldest first. */
  runs(options?: RequestOptions): Promise<readonly RunInfo[]>;
  /** The same as the client's `command`, once and without a socket. */
  command(
    command: Command,
    options?: RequestOptions & { readonly commandId?: string | undefined },
  ): Promise<CommandReply>;
  projects(options?: RequestOptions): Promise<readonly ProjectInfo[]>;
  /** Those that runs can be started with. */
  agents(options?: RequestOptions): Promise<readonly AgentInfo[]>;
  health(options?: RequestOptions): Promise<Health>;
  /** Takes the code that the server showed; the browser gets a cookie for it. */
  signIn(code: string, options?: RequestOptions): Promise<SignInReply>;
  /** Has a new code shown where the server was started. */
  askForCode(options?: RequestOptions): Promise<void>;
  signOut(options?: RequestOptions): Promise<void>;
  programs(options?: RequestOptions): Promise<readonly ProgramInfo[]>;
  /** The token is in the answer, and nowhere ever again. */
  addProgram(program: NewProgram, options?: RequestOptions): Promise<MadeProgram>;
  removeProgram(id: string, options?: RequestOptions): Promise<void>;
  /** `not-found` where the server is part of another program. */
  settings(options?: RequestOptions): Promise<PersonSettings>;
  changeSettings(change: SettingsChange, options?: RequestOptions): Promise<PersonSettings>;
}

export interface LineOptions extends RequestOptions {
  /** Bytes, both included. */
  readonly range?: { readonly from: number; readonly to?: number | undefined } | undefined;
}

export function createHttp({ json, open }: Requests): Http {
  const get = <T>(path: string, query: object | undefined, options: RequestOptions | undefined): Promise<T> =>
    // Queries have values that can stand in an address, as the schemas of the protocol say.
    json<T>(path, { ...options, query: query as Query | undefined });
  const items = async <T>(path: string, options: RequestOptions | undefined): Promise<readonly T[]> =>
    (await get<{ readonly items: readonly T[] }>(path, undefined, options)).items;
  const partOf = (sessionId: string, part: string): string => `${sessionPath(sessionId)}/${part}`;

  return {
    sessions: (query, options) => get('/api/sessions', query, options),
    session: (sessionId, options) => get(sessionPath(sessionId), undefined, options),
    label: (sessionId, body, options) => json(sessionPath(sessionId), { ...options, method: 'PATCH', body }),
    events: (sessionId, query, options) => get(partOf(sessionId, 'events'), query, options),
    messages: (sessionId, query, options) => get(partOf(sessionId, 'messages'), query, options),
    calls: (sessionId, query, options) => get(partOf(sessionId, 'calls'), query, options),
    files: (sessionId, query, options) => get(partOf(sessionId, 'files'), query, options),
    todos: (sessionId, query, options) => get(partOf(sessionId, 'todos'), query, options),
    checkpoints: (sessionId, query, options) => get(partOf(sessionId, 'checkpoints'), query, options),
    line: (ref, { range, ...options } = {}) =>
      open(ref, { ...options, ...(range && { headers: { range: `bytes=${range.from}-${range.to ?? ''}` } }) }),
    spending: (sessionId, options) => items(partOf(sessionId, 'spending'), options),
    wholeEvents: (sessionId, position, options) =>
      // What no line told stands behind one, by half a step.
      items(partOf(sessionId, `lines/${Math.floor(position)}/events`), options),
    startBefore: (sessionId, query, options) => get(partOf(sessionId, 'before'), query, options),
    previewRewind: (sessionId, body, options) =>
      json(partOf(sessionId, 'rewind/preview'), { ...options, method: 'POST', body }),
    rewind: (sessionId, body, options) => json(partOf(sessionId, 'rewind'), { ...options, method: 'POST', body }),
    search: (query, options) => get('/api/search', query, options),
    usage: (query, options) => get('/api/usage', query, options),
    runs: (options) => items('/api/runs', options),
    command: ({ action, ...body }, { commandId = crypto.randomUUID(), ...options } = {}) => {
      const { runId, ...rest } = body;
      const isStart = action === 'start' || runId === undefined;
      return json(isStart ? '/api/runs' : `${runPath(runId)}/${action}`, {
        ...options,
        method: 'POST',
        body: isStart ? body : rest,
        headers: { 'idempotency-key': commandId },
      });
    },
    projects: (options) => items('/api/projects', options),
    agents: (options) => items('/api/agents', options),
    health: (options) => get('/api/health', undefined, options),
    signIn: (code, options) => json('/api/sign-in', { ...options, method: 'POST', body: { code } }),
    askForCode: (options) => json('/api/code', { ...options, method: 'POST' }),
    signOut: (options) => json('/api/sign-out', { ...options, method: 'POST' }),
    programs: (options) => items('/api/programs', options),
    addProgram: (body, options) => json('/api/programs', { ...options, method: 'POST', body }),
    removeProgram: (id, options) => json(`/api/programs/${encodeURIComponent(id)}`, { ...options, method: 'DELETE' }),
    settings: (options) => get('/api/settings', undefined, options),
    changeSettings: (body, options) => json('/api/settings', { ...options, method: 'PATCH', body }),
  };
}

function sessionPath(sessionId: string): string {
  return `/api/sessions/${encodeURIComponent(sessionId)}`;
}

function runPath(runId: string): string {
  return `/api/runs/${encodeURIComponent(runId)}`;
}
