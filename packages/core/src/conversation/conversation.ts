// What a person sees of a session, as one plain value. `reduce` makes it from events; `select.ts` reads it.

import type {
  AgentError,
  AskedQuestion,
  ContentPart,
  Cost,
  FileChange,
  Location,
  McpServer,
  McpTool,
  ModelUsage,
  Outcome,
  PermissionOption,
  RawReason,
  RunState,
  StopReason,
  TaskKind,
  TodoEntry,
  ToolKind,
  ToolTag,
  Usage,
} from '../event/event.ts';
import type { Json } from '../event/json.ts';
import type { Entry, List } from './list.ts';

/** A session as a person sees it. Plain, read-only, and the same object for as long as nothing changes. */
export interface Conversation {
  readonly agent: string | null;
  readonly agentVersion: string | null;
  readonly sessionId: string | null;
  readonly model: string | null;
  readonly cwd: string | null;
  readonly title: string | null;
  readonly permissionMode: string | null;
  readonly tools: readonly string[];
  readonly mcpServers: readonly McpServer[];
  readonly commands: readonly string[];
  readonly state: 'starting' | 'running' | 'idle' | 'requires_action' | 'ended';
  /** The process that is, or was, at work, as whoever started it tells. */
  readonly run: Run | null;
  /** The turn that is being answered. */
  readonly turnId: string | null;
  /** Everything that happened, of all threads, in order. Read it with `partsOf`. */
  readonly parts: List<Part>;
  /** How many parts there are. */
  readonly partCount: number;
  /** What is known of each answer of the model; its parts name it by `messageId`. */
  readonly messages: List<MessageFacts>;
  /** The main thread, and those of the tasks. */
  readonly main: Thread;
  readonly threads: List<Thread>;
  /** What the person is asked and has not answered, the oldest first; the last thousand. */
  readonly waiting: readonly Waiting[];
  /** The main thread's list. */
  readonly todos: readonly TodoEntry[];
  readonly plan: Plan | null;
  /** Turns that a line has ended. */
  readonly turns: number;
  /** Of the last turn, or of the session when it has ended. */
  readonly outcome: Outcome | null;
  readonly stopReason: StopReason | null;
  readonly error: AgentError | null;
  readonly usage: Usage | null;
  readonly cost: Cost | null;
  /** Whether `usage` and `cost` are the session's own figures or the turns' so far, added up. */
  readonly usageFrom: 'session' | 'turns';
  readonly costFrom: 'session' | 'turns';
  readonly context: { readonly used?: number; readonly size?: number } | null;
  readonly rateLimit: RateLimit | null;
}

export interface Run {
  readonly runId: string;
  readonly state: RunState;
  /** When that state began, in epoch milliseconds. */
  readonly since?: number;
  readonly prompt?: string;
  /** The part that shows it, while the agent itself has not told it. */
  readonly untoldPrompt?: string;
  /** What it is working on. */
  readonly toolCallIds?: readonly string[];
  readonly reason?: string;
}

/** A conversation in which nothing has happened. */
export function createConversation(): Conversation {
  return {
    agent: null,
    agentVersion: null,
    sessionId: null,
    model: null,
    cwd: null,
    title: null,
    permissionMode: null,
    tools: [],
    mcpServers: [],
    commands: [],
    state: 'starting',
    run: null,
    turnId: null,
    parts: [],
    partCount: 0,
    messages: [],
    main: { id: '', order: [0, 0, 0, 0], latest: 0, isTimed: false },
    threads: [],
    waiting: [],
    todos: [],
    plan: null,
    turns: 0,
    outcome: null,
    stopReason: null,
    error: null,
    usage: null,
    cost: null,
    usageFrom: 'turns',
    costFrom: 'turns',
    context: null,
    rateLimit: null,
  };
}

/** The conversation with other parts. Written out, since this is done for each delta: a spread takes forty times as long. */
export function withParts(conversation: Conversation, parts: List<Part>): Conversation {
  return {
    agent: conversation.agent,
    agentVersion: conversation.agentVersion,
    sessionId: conversation.sessionId,
    model: conversation.model,
    cwd: conversation.cwd,
    title: conversation.title,
    permissionMode: conversation.permissionMode,
    tools: conversation.tools,
    mcpServers: conversation.mcpServers,
    commands: conversation.commands,
    state: conversation.state,
    run: conversation.run,
    turnId: conversation.turnId,
    parts,
    partCount: conversation.partCount,
    messages: conversation.messages,
    main: conversation.main,
    threads: conversation.threads,
    waiting: conversation.waiting,
    todos: conversation.todos,
    plan: conversation.plan,
    turns: conversation.turns,
    outcome: conversation.outcome,
    stopReason: conversation.stopReason,
    error: conversation.error,
    usage: conversation.usage,
    cost: conversation.cost,
    usageFrom: conversation.usageFrom,
    costFrom: conversation.costFrom,
    context: conversation.context,
    rateLimit: conversation.rateLimit,
  };
}

// ── Parts ─────────────────────────────────────────────────────────────────────────────────────────

/** One thing that a person sees. */
export type Part =
  | PromptPart
  | TextPart
  | ReasoningPart
  | CallPart
  | ModePart
  | PlanPart
  | TaskPart
  | PermissionPart
  | QuestionPart
  | ChangesPart
  | ErrorPart
  | NoticePart
  | RetryPart
  | CompactionPart
  | HookPart
  | TurnPart
  | RawPart;

export type PartType = Part['type'];

/** What every part may have. `order` says where it stands and is of no interest to people. */
export interface PartBase extends Entry {
  /** The task whose thread it belongs to; absent on the main thread. */
  readonly subagentId?: string;
  readonly messageId?: string;
  /** Epoch milliseconds, as the agent told; of answers, calls, errors and prompts. */
  readonly time?: number;
  /** Why it was taken back. */
  readonly retracted?: string;
  /** Kept, but of no interest unless somebody looks for it. */
  readonly hidden?: true;
}

/** What went to the model: typed by the person, sent while it worked, or put in by the agent itself. */
export interface PromptPart extends PartBase {
  readonly type: 'prompt';
  readonly origin: 'prompt' | 'steering' | 'injected';
  readonly content: readonly ContentPart[];
}

interface Block extends PartBase {
  readonly text: string;
  /** It still grows. */
  readonly streaming?: true;
  /** It was cut in the middle. */
  readonly partial?: true;
}

export interface TextPart extends Block {
  readonly type: 'text';
}

export interface ReasoningPart extends Block {
  readonly type: 'reasoning';
  readonly form?: 'full' | 'summary' | 'redacted' | 'unknown';
  readonly durationMs?: number;
}

/** `pending`: its input grows. `waiting`: for the person. `unknown`: nobody told how it ended. */
export type CallStatus =
  | 'pending'
  | 'running'
  | 'waiting'
  | 'completed'
  | 'failed'
  | 'denied'
  | 'cancelled'
  | 'unknown';

export interface CallFacts {
  readonly toolCallId: string;
  /** The agent's name of the tool; empty while nobody has told it. */
  readonly name: string;
  readonly kind: ToolKind;
  readonly status: CallStatus;
  readonly tags?: readonly ToolTag[];
  readonly title?: string;
  readonly mcp?: McpTool;
  readonly serverSide?: boolean;
  readonly locations?: readonly Location[];
  readonly input?: Json;
  /** The input as far as it has come; gone when it is whole. */
  readonly inputText?: string;
  /** What it has printed so far; gone when `content` has it. */
  readonly outputText?: string;
  readonly elapsedMs?: number;
  readonly content?: readonly ContentPart[];
  readonly output?: Json;
  readonly exitCode?: number;
  readonly error?: AgentError;
  readonly nativeStatus?: string;
  readonly durationMs?: number;
  /** No line told its end. */
  readonly synthetic?: true;
  readonly changes?: readonly FileChange[];
  /** Whether the changes came about; absent when they did. */
  readonly changesOutcome?: Outcome;
  readonly todos?: readonly TodoEntry[];
  readonly permission?: Permission;
  readonly question?: Question;
  readonly plan?: Plan;
  /** The sub-agent or the command it has started. */
  readonly task?: Task;
}

/** A tool call. */
export interface CallPart extends PartBase, CallFacts {
  readonly type: 'call';
}

/** A change of mode: told by the session (`mode`), or a call that switches, with the facts of the call. */
export interface ModePart extends PartBase, Partial<CallFacts> {
  readonly type: 'mode';
  readonly mode?: string;
  readonly previousMode?: string;
}

/** A plan that is put forward; mostly by a call, with the facts of the call. */
export interface PlanPart extends PartBase, Partial<CallFacts> {
  readonly type: 'plan';
  readonly plan: Plan;
}

/** A part that is a call, however it is shown. */
export type Call = CallPart | (ModePart & CallFacts) | (PlanPart & CallFacts);

export interface Plan {
  readonly text?: string;
  readonly path?: string;
}

/** A sub-agent, command or workflow. */
export interface Task {
  readonly taskId: string;
  readonly kind: TaskKind;
  readonly status: 'running' | 'completed' | 'failed' | 'denied' | 'cancelled' | 'unknown';
  readonly name?: string;
  readonly description?: string;
  readonly prompt?: string;
  readonly model?: string;
  readonly parentTaskId?: string;
  readonly background?: boolean;
  /** What it is doing, in its own words. */
  readonly summary?: string;
  readonly lastToolName?: string;
  readonly result?: string;
  readonly error?: AgentError;
  readonly usage?: Usage;
  readonly cost?: Cost;
  readonly toolUses?: number;
  readonly durationMs?: number;
  /** No line told its end. */
  readonly synthetic?: true;
}

/** A task that no call has started, or a further one of a call that has one already. */
export interface TaskPart extends PartBase {
  readonly type: 'task';
  readonly toolCallId?: string;
  readonly task: Task;
}

/** The host is asked, or a policy has decided. Open while a request has no decision. */
export interface Permission {
  readonly requestId?: string;
  readonly title?: string;
  readonly reason?: string;
  readonly input?: Json;
  readonly options?: readonly PermissionOption[];
  readonly decision?: 'allowed' | 'denied' | 'cancelled';
  readonly by?: 'user' | 'policy' | 'agent' | 'unknown';
  readonly optionId?: string;
}

/** The agent asks the person. Open while it has no outcome. */
export interface Question {
  readonly requestId: string;
  readonly message: string;
  readonly questions?: readonly AskedQuestion[];
  readonly schema?: Json;
  readonly choices?: readonly string[];
  readonly answer?: Json;
  readonly outcome?: Outcome;
}

export interface PermissionPart extends PartBase {
  readonly type: 'permission';
  readonly toolName?: string;
  readonly permission: Permission;
}

export interface QuestionPart extends PartBase {
  readonly type: 'question';
  readonly question: Question;
}

/** Files changed, and no call is known to have done it. */
export interface ChangesPart extends PartBase {
  readonly type: 'changes';
  readonly changes: readonly FileChange[];
  readonly changesOutcome?: Outcome;
  readonly candidates?: readonly string[];
}

export interface ErrorPart extends PartBase {
  readonly type: 'error';
  readonly error: AgentError;
  readonly fatal: boolean;
}

export interface NoticePart extends PartBase {
  readonly type: 'notice';
  readonly severity: 'info' | 'warning' | 'error';
  readonly title: string;
  readonly description?: string;
  readonly nativeCode?: string;
}

/** A model call is tried again. It has no outcome while it is. */
export interface RetryPart extends PartBase {
  readonly type: 'retry';
  readonly attempt: number;
  readonly maxAttempts?: number;
  readonly delayMs?: number;
  readonly error?: AgentError;
  readonly outcome?: Outcome;
}

/** The context is summarised. It has no outcome while it is. */
export interface CompactionPart extends PartBase {
  readonly type: 'compaction';
  readonly trigger?: 'manual' | 'auto' | 'overflow';
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  readonly summary?: string;
  readonly durationMs?: number;
  readonly outcome?: Outcome;
}

/** Hidden unless it failed. */
export interface HookPart extends PartBase {
  readonly type: 'hook';
  readonly name: string;
  readonly on?: string;
  readonly output?: string;
  readonly exitCode?: number;
  readonly outcome?: Outcome;
}

/** A turn has ended. */
export interface TurnPart extends PartBase {
  readonly type: 'turn';
  readonly turnId: string;
  readonly outcome: Outcome;
  readonly stopReason?: StopReason;
  /** What the turn resulted in, where no text has said it. */
  readonly text?: string;
  readonly structured?: Json;
  readonly error?: AgentError;
  readonly usage?: Usage;
  readonly mainUsage?: Usage;
  readonly models?: Readonly<Record<string, ModelUsage>>;
  readonly cost?: Cost;
  readonly steps?: number;
  readonly durationMs?: number;
  readonly apiDurationMs?: number;
}

/** What could not be read. A line that is plain text is shown; what was meant for programs is hidden. */
export interface RawPart extends PartBase {
  readonly type: 'raw';
  readonly reason: RawReason;
  readonly text?: string;
  readonly value?: Json;
  readonly nativeType?: string;
  readonly bytes?: number;
}

// ── Beside the parts ──────────────────────────────────────────────────────────────────────────────

/** What is known of one answer of the model. Its id is the message's. */
export interface MessageFacts extends Entry {
  readonly subagentId?: string;
  readonly model?: string;
  readonly stopReason?: StopReason;
  readonly usage?: Usage;
  readonly error?: AgentError;
  readonly retracted?: string;
}

/** What `reduce` remembers of a thread. Its id is the task's; the main thread's is empty. */
export interface Thread extends Entry {
  /** The latest time that an answer, a call or a result of it had. Without any, blocks count on from here in tiny steps. */
  readonly latest: number;
  /** Whether `latest` is the agent's own. */
  readonly isTimed: boolean;
  /** The part that shows its task. */
  readonly partId?: string;
  /** The part of the retry that is under way. */
  readonly retryId?: string;
}

export interface Waiting {
  readonly requestId: string;
  readonly kind: 'permission' | 'question';
  readonly partId: string;
}

export interface RateLimit {
  readonly status: 'ok' | 'warning' | 'rejected';
  readonly window?: string;
  readonly resetsAt?: number;
  readonly used?: number;
}
