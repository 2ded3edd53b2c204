// What happened, told in one object: a fold over the events. docs/events.md says what each field means.

import type { FigureState } from '../accounting/figures.ts';
import { createLedger, type Ledger } from '../accounting/ledger.ts';
import type { PriceTable } from '../accounting/prices.ts';
import type {
  AgentError,
  AgentStreamEvent,
  EventOf,
  Outcome,
  StopReason,
  TodoEntry,
  ToolKind,
  Usage,
} from '../event/event.ts';
import { createTextTrace } from './text.ts';

export interface Summary {
  readonly agent: string | null;
  readonly agentVersion: string | null;
  readonly sessionId: string | null;
  readonly model: string | null;
  readonly cwd: string | null;
  /** Of the last turn; `incomplete` when the stream stopped without an end. */
  readonly outcome: 'success' | 'error' | 'cancelled' | 'incomplete';
  readonly stopReason: StopReason | null;
  readonly error: AgentError | null;
  readonly turns: number;
  readonly steps: number;
  readonly durationMs: number | null;
  /** The last whole text of the main thread. */
  readonly text: string | null;
  /** Everything served in this process, sub-agents included. */
  readonly usage: Usage & { readonly state: FigureState };
  readonly mainUsage: Usage;
  readonly costUsd: number | null;
  readonly costState: FigureState;
  readonly models: Readonly<Record<string, Usage & { readonly costUsd: number | null }>>;
  readonly toolCalls: readonly SummaryCall[];
  readonly subagents: readonly SummarySubagent[];
  readonly permissionDenials: number;
  readonly retries: number;
  readonly compactions: number;
  readonly checkpoints: readonly string[];
  readonly filesChanged: readonly { readonly path: string; readonly operation: string }[];
  readonly todos: readonly TodoEntry[];
  readonly lines: LineCounts;
}

export interface SummaryCall {
  readonly id: string;
  readonly name: string;
  readonly kind: ToolKind;
  readonly outcome: Outcome;
  /** The call that started the sub-agent it belongs to. */
  readonly parentId: string | null;
  readonly subagentId: string | null;
  readonly durationMs: number | null;
}

export interface SummarySubagent {
  readonly id: string;
  readonly toolCallId: string | null;
  readonly parentId: string | null;
  readonly type: string | null;
  readonly outcome: Outcome;
  readonly usage: Usage & { readonly state: FigureState };
  readonly costUsd: number | null;
  readonly costState: FigureState;
}

export interface LineCounts {
  readonly total: number;
  readonly notJson: number;
  readonly tooLong: number;
  readonly tooDeep: number;
  readonly cutOff: number;
  readonly spliced: number;
  readonly unknown: number;
  readonly unknownTypes: Readonly<Record<string, number>>;
}

export interface SummaryFold {
  add(event: AgentStreamEvent): void;
  /** The summary so far. `lines` is how many were read, which events alone cannot tell. */
  summary(lines: number): Summary;
}

/** At most this many prompts are kept as places to rewind to. */
const MAX_CHECKPOINTS = 100;

/** So many unknown types are told apart; the rest are counted together. */
const MAX_UNKNOWN_TYPES = 100;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface SummaryOptions {
  readonly prices?: PriceTable | undefined;
  /** The ledger of a session that is folded from several streams; it adds up by itself. */
  readonly ledger?: Ledger | undefined;
}

export function createSummary(options: SummaryOptions = {}): SummaryFold {
  const ledger = options.ledger ?? createLedger(options);
  const text = createTextTrace();
  const calls = new Map<string, Mutable<SummaryCall>>();
  const tasks = new Map<string, { readonly start: EventOf<'task-start'>; outcome: Outcome }>();
  const files = new Map<string, string>();
  const checkpoints = new Set<string>();
  const denied = new Set<string>();
  const raw = new Map<string, number>();
  const unknownTypes = new Map<string, number>();
  const head: Mutable<Pick<Summary, 'agent' | 'agentVersion' | 'sessionId' | 'model' | 'cwd'>> = {
    agent: null,
    agentVersion: null,
    sessionId: null,
    model: null,
    cwd: null,
  };
  const span = { time: createSpan(), at: createSpan() };
  let end: EventOf<'session-end'> | undefined;
  let stopReason: StopReason | null = null;
  let turnMs: number | undefined;
  let hasTurns = false;
  let turns = 0;
  /** Turns that a run left open. */
  let openTurns = 0;
  /** The streams that tell of the main thread, and those of them that have turns: the others are files. */
  const tellers = new Set<string | undefined>();
  const turnTellers = new Set<string | undefined>();
  let prompts = 0;
  let steps = 0;
  let retries = 0;
  const compactions = new Set<string>();
  let todos: readonly TodoEntry[] = [];

  function learn(event: EventOf<'session-start' | 'session-update'>): void {
    head.agentVersion ??= event.agentVersion ?? null;
    head.model ??= event.model ?? null;
    head.cwd ??= event.cwd ?? null;
  }

  function addCheckpoint(id: string): void {
    checkpoints.add(id);
    if (checkpoints.size <= MAX_CHECKPOINTS) return;
    const [oldest] = checkpoints;
    if (oldest !== undefined) checkpoints.delete(oldest);
  }

  function addFiles(event: EventOf<'file-change'>): void {
    if (event.outcome !== 'success') return;
    for (const { path, operation } of event.changes) {
      const known = relativeTo(head.cwd, path);
      // A file that was added and then changed was added.
      if (files.get(known) !== 'add' || operation === 'delete') files.set(known, operation);
    }
  }

  function addRaw(event: EventOf<'raw'>): void {
    raw.set(event.reason, (raw.get(event.reason) ?? 0) + 1);
    if (event.reason !== 'unknown_type' && event.reason !== 'unknown_block') return;
    const name = event.nativeType ?? 'none';
    // A stream of inventions has more names than anybody reads.
    const type = unknownTypes.has(name) || unknownTypes.size < MAX_UNKNOWN_TYPES ? name : 'others';
    unknownTypes.set(type, (unknownTypes.get(type) ?? 0) + 1);
  }

  /** A run that broke off tells no result, but where there is a file, it has the turn. */
  function filedTurns(): number {
    for (const teller of tellers) if (!turnTellers.has(teller)) return openTurns;
    return 0;
  }

  return {
    add(event) {
      ledger.add(event);
      text.add(event);
      // `/clear` begins a new session in the same process: the newest is the one to go on with.
      if (event.sessionId !== undefined) head.sessionId = event.sessionId;
      span.time.add(event.time);
      span.at.add(event.at);
      switch (event.type) {
        case 'session-start':
          head.agent = event.agent === 'unknown' ? null : event.agent;
          learn(event);
          break;
        case 'session-update':
          learn(event);
          break;
        case 'session-end':
          end = event;
          break;
        case 'turn-start':
          turnTellers.add(event.from);
          break;
        case 'turn-end':
          stopReason = event.stopReason ?? null;
          hasTurns = true;
          turnTellers.add(event.from);
          if (event.synthetic) openTurns++;
          else turns++;
          if (event.durationMs !== undefined) turnMs = (turnMs ?? 0) + event.durationMs;
          break;
        case 'message-start':
          if (event.subagentId === undefined) tellers.add(event.from);
          break;
        case 'message-end':
          // A session file has no turns: its last answer says why it stopped.
          if (!hasTurns && event.subagentId === undefined) stopReason = event.stopReason ?? null;
          break;
        case 'step-start':
          if (event.subagentId === undefined) steps++;
          break;
        case 'user-message':
          if (event.subagentId !== undefined || event.origin === 'injected') break;
          tellers.add(event.from);
          prompts++;
          if (event.messageId) addCheckpoint(event.messageId);
          break;
        case 'tool-call-start':
          calls.set(event.toolCallId, {
            id: event.toolCallId,
            name: event.toolName,
            kind: event.kind,
            outcome: 'unknown',
            parentId: null,
            subagentId: event.subagentId ?? null,
            durationMs: null,
          });
          break;
        case 'tool-call-end': {
          const call = calls.get(event.toolCallId);
          if (!call) break;
          call.outcome = event.outcome;
          call.durationMs = event.durationMs ?? null;
          break;
        }
        case 'task-start':
          if (event.kind === 'agent') tasks.set(event.taskId, { start: event, outcome: 'unknown' });
          break;
        case 'task-end': {
          const task = tasks.get(event.taskId);
          if (task) task.outcome = event.outcome;
          break;
        }
        case 'permission-resolve':
          if (event.decision === 'denied') denied.add(event.toolCallId ?? event.requestId ?? `line ${event.line}`);
          break;
        case 'retry-start':
          retries++;
          break;
        case 'compaction-end':
          if (event.outcome === 'success') compactions.add(event.lineId ?? event.compactionId);
          break;
        case 'file-change':
          addFiles(event);
          break;
        case 'todo-update':
          todos = event.entries;
          break;
        case 'raw':
          addRaw(event);
          break;
      }
    },

    summary(lines) {
      const figures = ledger.figures();
      const subagentFigures = ledger.subagents();
      /** Who started the sub-agent: settled now, since a task may start before the line of its call. */
      const parentOf = (taskId: string | null): string | null => tasks.get(taskId ?? '')?.start.toolCallId ?? null;
      return {
        ...head,
        outcome: outcomeOf(end),
        stopReason: hasTurns ? stopReason : (STOPPED[end?.outcome ?? ''] ?? stopReason),
        error: end?.error ?? null,
        turns: hasTurns ? turns + filedTurns() : prompts,
        steps,
        durationMs: turnMs ?? span.time.length() ?? span.at.length() ?? null,
        text: text.last(),
        usage: { ...figures.usage, state: figures.state },
        mainUsage: ledger.main(),
        costUsd: figures.costUsd ?? null,
        costState: figures.costState,
        models: Object.fromEntries(
          [...ledger.models()].map(([model, { usage, costUsd }]) => [model, { ...usage, costUsd: costUsd ?? null }]),
        ),
        toolCalls: [...calls.values()].map((call) => ({ ...call, parentId: parentOf(call.subagentId) })),
        subagents: [...tasks].map(([id, { start, outcome }]) => {
          const spent = subagentFigures.get(id);
          return {
            id,
            toolCallId: start.toolCallId ?? null,
            parentId: parentOf(start.parentTaskId ?? calls.get(start.toolCallId ?? '')?.subagentId ?? null),
            type: start.name ?? null,
            outcome,
            usage: { ...spent?.usage, state: spent?.state ?? 'unknown' },
            costUsd: spent?.costUsd ?? null,
            costState: spent?.costState ?? 'unknown',
          };
        }),
        permissionDenials: denied.size,
        retries,
        compactions: compactions.size,
        checkpoints: [...checkpoints],
        filesChanged: [...files].map(([path, operation]) => ({ path, operation })),
        todos,
        lines: {
          total: lines,
          notJson: raw.get('not_json') ?? 0,
          tooLong: raw.get('too_long') ?? 0,
          tooDeep: raw.get('too_deep') ?? 0,
          cutOff: raw.get('cut_off') ?? 0,
          spliced: raw.get('spliced') ?? 0,
          unknown: (raw.get('unknown_type') ?? 0) + (raw.get('unknown_block') ?? 0),
          unknownTypes: Object.fromEntries(unknownTypes),
        },
      };
    },
  };
}

/** Why a session without turns stopped, where its end tells more than its last answer. */
const STOPPED: Readonly<Record<string, StopReason>> = { error: 'error', cancelled: 'cancelled' };

function outcomeOf(end: EventOf<'session-end'> | undefined): Summary['outcome'] {
  switch (end?.outcome) {
    case 'success':
    case 'error':
    case 'cancelled':
      return end.outcome;
    default:
      return 'incomplete';
  }
}

function relativeTo(cwd: string | null, path: string): string {
  return cwd !== null && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

function createSpan(): { add(value: number | undefined): void; length(): number | undefined } {
  let first: number | undefined;
  let last = 0;
  return {
    add(value) {
      if (value === undefined) return;
      first = Math.min(first ?? value, value);
      last = Math.max(last, value);
    },
    length: () => (first === undefined ? undefined : last - first),
  };
}
