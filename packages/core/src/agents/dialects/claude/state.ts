// What the translator remembers of one stream, and the few things everybody does with it.

import type { AgentError, Outcome, StopReason, TaskKind, TodoEntry, Usage } from '../../../event/event.ts';
import { asObject, asText, type Json, type Loose } from '../../../event/json.ts';
import type { EventWriter } from '../../agent.ts';
import type { Skimming } from './skim.ts';
import type { Speaker } from './speaker.ts';
import type { WireLine } from './wire.ts';

/** A line of thought: the main thread, or the sub-agent that one call started. */
export interface Thread {
  /** The call that started it; empty for the main thread. */
  readonly callId: string;
  task: Task | undefined;
  message: Message | undefined;
  /** The message that ended last: its lines may still come. */
  lastMessage: Message | undefined;
  /** Its open calls, oldest first. */
  readonly calls: Set<Call>;
}

/** One answer of the model. Its blocks come one per line, and before that as deltas if the CLI prints those. */
export interface Message {
  readonly id: string;
  readonly thread: Thread;
  readonly turn: Turn | undefined;
  readonly model: string | undefined;
  /** What came of it as deltas; nothing while no delta came, as most messages have none. */
  streamed: Streamed | undefined;
  readonly numbering: Numbering;
  usage: Usage | undefined;
  /** Told by early session files only. */
  costUsd: number | undefined;
  stopReason: StopReason | undefined;
  error: AgentError | undefined;
  /** False for what the CLI itself says: no model was called. */
  readonly isStep: boolean;
  /** It began before, and a late line, or one of another thread, brought more of it. */
  readonly isLate: boolean;
}

/** The number of a message's next block. It outlives the message, so that no block of it has the id of another. */
interface Numbering {
  next: number;
}

/** The blocks of a message that came as deltas. */
interface Streamed {
  /** By their number in the message. */
  readonly blocks: Map<number, Block>;
  /** Those that no whole line has told yet. */
  readonly untold: Set<Block>;
}

export interface Block {
  readonly index: number;
  readonly id: string;
  readonly kind: 'text' | 'reasoning' | 'call' | 'other';
  readonly call: Call | undefined;
  /** What the deltas made so far. */
  text: string;
  signature: string;
  isOpen: boolean;
}

export interface Call {
  /** Ours: the model's id, made unique if it used one twice. */
  readonly id: string;
  readonly nativeId: string;
  readonly name: string;
  readonly thread: Thread;
  readonly turn: Turn | undefined;
  readonly serverSide: boolean;
  input: Json;
  isInputEnded: boolean;
  startedTime: number | undefined;
  startedAt: number | undefined;
}

export interface Task {
  readonly id: string;
  readonly kind: TaskKind;
  readonly toolCallId: string | undefined;
  background: boolean;
  /** The end that was announced before the closing line came. */
  announced: Outcome | undefined;
  error: string | undefined;
}

export interface Turn {
  readonly id: string;
  hasInit: boolean;
  steps: number;
  /** The input of the main thread's calls, as their messages tell it. */
  input: number;
  /** The main thread's open calls that were made in it. */
  readonly calls: Set<Call>;
}

/** A permission or a question that waits for the host. */
export interface Request {
  /** Ours: the CLI's id, made unique if it used one twice. */
  readonly id: string;
  readonly nativeId: string;
  readonly callId: string | undefined;
  readonly kind: 'permission' | 'question';
}

/** What one line showed, in case a later one takes it back. */
export interface Shown {
  readonly uuid: string;
  readonly messageId: string;
  readonly blockIds: readonly string[];
  readonly callIds: readonly string[];
}

export interface State {
  out: EventWriter;
  readonly speaker: Speaker;
  /** What a file beside the stream tells about it. */
  readonly about: Json;
  /** The lines are those of a session file. */
  isTranscript: boolean;
  /** Whose the lines of a sub-agent are that stand among the session's own, by uuid. */
  readonly sidechains: Map<string, Loose<WireLine>>;
  /** The lines of a session file, so that none counts twice. */
  readonly lineIds: Set<string>;
  /** How a session file, which has no results, would end here. */
  ending: { readonly outcome: Outcome; readonly error?: AgentError } | undefined;
  /** The line being translated as it was written, where the decoder has it. */
  lineText: string | undefined;
  /** What the next delta is compared with before it is parsed. */
  skimming: Skimming | undefined;
  skimMisses: number;
  readonly main: Thread;
  readonly threads: Map<string, Thread>;
  /** Every message that has begun: none begins twice. */
  readonly numberings: Map<string, Numbering>;
  /** Open calls by the model's id, oldest first. */
  readonly calls: Map<string, Set<Call>>;
  /** How often each id was used, by family: no id starts twice. */
  readonly used: Readonly<Record<'call' | 'task' | 'hook' | 'turn' | 'compaction' | 'request', Map<string, number>>>;
  /** The newest task of each name. */
  readonly tasks: Map<string, Task>;
  readonly tasksByCall: Map<string, Task>;
  readonly openTasks: Set<Task>;
  /** Our ids of the hooks that run, by theirs. */
  readonly openHooks: Map<string, string>;
  /** Oldest first. */
  readonly openTurns: Set<Turn>;
  newestTurn: Turn | undefined;
  /** What was written to the CLI and has not come back yet, by the id it was given. */
  readonly prompts: Map<string, Loose<WireLine>>;
  /** Who answered which request, where the host told. */
  readonly answeredBy: Map<string, 'user' | 'policy'>;
  readonly requests: Map<string, Request>;
  readonly requestsByCall: Map<string, Request>;
  /** Calls whose permission has been settled, so that nobody settles it again. */
  readonly settledCalls: Set<string>;
  /** The last lines, in a ring: `shownCount` says where the next one goes. */
  readonly shown: Shown[];
  shownCount: number;
  /** Lines that were taken back: one may be named again. */
  readonly retracted: Set<string>;
  readonly todos: Map<string, TodoEntry>;
  retry: number | undefined;
  compaction: { readonly id: string; readonly trigger: 'manual' | 'auto' | undefined } | undefined;
  facts: SessionFacts;
  turns: number;
  /** Results that were told: one that is told again counts once. */
  readonly resultIds: Set<string>;
  /** How the last turn that was told to end did end. */
  lastEnd: { readonly outcome: Outcome; readonly error: AgentError | undefined } | undefined;
  /** Whether the main thread did anything after the last result. */
  isActive: boolean;
  isAborted: boolean;
  /** The failure that a line of this turn has told. */
  toldError: AgentError | undefined;
  /** Whether anybody but the main thread called a model since the last result. */
  hasHelpers: boolean;
  /** The running totals of the last result, for CLIs that print no differences. */
  running: RunningTotals;
}

export interface SessionFacts {
  agentVersion?: string | undefined;
  model?: string | undefined;
  cwd?: string | undefined;
  permissionMode?: string | undefined;
  tools?: readonly string[] | undefined;
  mcpServers?: readonly { readonly name: string; readonly status?: string }[] | undefined;
  commands?: readonly string[] | undefined;
}

export interface RunningTotals {
  models: Readonly<Record<string, Usage & { readonly cost?: { readonly amount: number } }>>;
  costUsd: number;
  apiDurationMs: number;
  /** For a speaker whose results count everything. */
  usage: Usage;
}

export function createThread(callId: string): Thread {
  return { callId, task: undefined, message: undefined, lastMessage: undefined, calls: new Set() };
}

export function createState(out: EventWriter, speaker: Speaker, about: Json): State {
  const main = createThread('');
  return {
    out,
    speaker,
    about,
    isTranscript: false,
    sidechains: new Map(),
    lineIds: new Set(),
    ending: undefined,
    lineText: undefined,
    skimming: undefined,
    skimMisses: 0,
    main,
    threads: new Map([['', main]]),
    numberings: new Map(),
    calls: new Map(),
    used: {
      call: new Map(),
      task: new Map(),
      hook: new Map(),
      turn: new Map(),
      compaction: new Map(),
      request: new Map(),
    },
    tasks: new Map(),
    tasksByCall: new Map(),
    openTasks: new Set(),
    openHooks: new Map(),
    openTurns: new Set(),
    newestTurn: undefined,
    prompts: new Map(),
    answeredBy: new Map(),
    requests: new Map(),
    requestsByCall: new Map(),
    settledCalls: new Set(),
    shown: [],
    shownCount: 0,
    retracted: new Set(),
    todos: new Map(),
    retry: undefined,
    compaction: undefined,
    facts: {},
    turns: 0,
    resultIds: new Set(),
    lastEnd: undefined,
    isActive: false,
    isAborted: false,
    toldError: undefined,
    hasHelpers: false,
    running: { models: {}, costUsd: 0, apiDurationMs: 0, usage: {} },
  };
}

/** The id, or the id with a number when it was used before: no id starts twice. */
export function uniqueId(state: State, family: keyof State['used'], id: string): string {
  const used = state.used[family];
  const times = (used.get(id) ?? 0) + 1;
  used.set(id, times);
  return times === 1 ? id : `${id}#${times}`;
}

/** The call in whose sub-agent a line was printed, or nothing on the main thread. */
export function parentOf(line: Loose<WireLine>): string | undefined {
  return asText(line.parent_tool_use_id) ?? asText(line.parentToolUseId);
}

/** Writes events as the thread's own. */
export function inThread(state: State, thread: Thread, write: () => void): void {
  const { out } = state;
  const before = out.subagentId;
  const id = thread.task?.id;
  if (id === before) return write();
  out.subagentId = id;
  write();
  out.subagentId = before;
}

/** A line of the agent that has no event of its own: kept whole, and not counted as unknown. */
export function keepRaw(state: State, line: Json, nativeType: string): void {
  state.out.write({ type: 'raw', reason: 'no_counterpart', value: line, nativeType });
}

/** The name of a line for `raw` events: its type, with the subtype where it has one. */
export function nativeTypeOf(line: Loose<WireLine>): string | undefined {
  const type = asText(line.type);
  const subtype = asText(line.subtype) ?? asText(asObject<WireLine>((line as { request?: Json }).request)?.subtype);
  return type !== undefined && subtype !== undefined ? `${type}/${subtype}` : type;
}

/**
 * A table of handlers by a name from outside. Every name of `K` has to be there, which the compiler sees to; a map, since a
 * name from outside may be `constructor`.
 */
export function handlersOf<K extends string, H>(table: Readonly<Record<K, H>>): ReadonlyMap<string, H> {
  return new Map(Object.entries<H>(table));
}

const NONE: ReadonlyMap<string, never> = new Map<string, never>();

/** What a list tells about several things, by their id. */
export function byId<T extends { id: string }>(list: Json): ReadonlyMap<string, Loose<T>> {
  if (!Array.isArray(list)) return NONE;
  const found = new Map<string, Loose<T>>();
  for (const value of list) {
    const entry = asObject<T>(value);
    const id = asText(entry?.id);
    if (entry && id !== undefined) found.set(id, entry);
  }
  return found;
}
