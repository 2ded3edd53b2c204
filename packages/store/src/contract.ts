// What a store promises, whatever it is built on. SQLite is the first; another has to pass the same suite.

import type { AgentStreamEvent, FigureState, Json, LineSource, Summary } from '@tailrace/core';

// ── The record ──────────────────────────────────────────────────────────────────────────────────────

/** One run's pipes, one file of an agent's, or what hooks told about one session. */
export type StreamKind = 'run' | 'transcript' | 'hook';

/** What is known about a stream by the one who writes it. What is told later takes the place of what was told before. */
export interface StreamFacts {
  readonly kind: StreamKind;
  readonly agent?: string | undefined;
  /** The session it belongs to, where that is known before its lines are read. */
  readonly sessionId?: string | undefined;
  /** The file it is read from. */
  readonly path?: string | undefined;
  /** What a file beside it tells about it: whose sub-agent it is. */
  readonly about?: Json;
}

/** A line to be kept, with its line feed where it had one. */
export interface NewLine {
  readonly at: number;
  readonly source: LineSource;
  readonly bytes: Uint8Array;
}

/** A line as it is kept. */
export interface StoredLine extends NewLine {
  /** Which line of all, in the order of their commits. */
  readonly position: number;
  readonly stream: string;
  /** Which line of its stream, from 1 without a hole. */
  readonly seq: number;
}

export interface StoredStream extends StreamFacts {
  readonly name: string;
  /** The number that its next line gets. */
  readonly nextSeq: number;
  readonly bytes: number;
  /** How far its source was read, in the words of the one who writes it. Kept together with the lines. */
  readonly cursor?: string | undefined;
  readonly firstAt?: number | undefined;
  readonly lastAt?: number | undefined;
}

/** The right to write to one stream. It is lost when the process ends, and then anybody may have it. */
export interface Lease {
  readonly stream: StoredStream;
  release(): Promise<void>;
}

export interface AppendOptions {
  /** Kept in the same commit as the lines. */
  readonly cursor?: string | undefined;
}

export interface LineRecord {
  /** Makes the stream where there is none, and takes the right to write to it. Fails as `busy` while a living process has it. */
  claim(name: string, facts: StreamFacts): Promise<Lease>;
  /**
   * Keeps lines; the promise is fulfilled when they outlive a power cut. Gives the position of the last. Lines that are there
   * already are left as they are (`refused` when they differ); a hole is an error (`hole`), as is a stream nobody here has
   * claimed. Calls made together are committed together. No lines and a cursor: only the cursor is kept.
   */
  append(stream: string, firstSeq: number, lines: readonly NewLine[], options?: AppendOptions): Promise<number>;
  stream(name: string): Promise<StoredStream | undefined>;
  streams(filter?: {
    readonly sessionId?: string | undefined;
    readonly path?: string | undefined;
  }): Promise<readonly StoredStream[]>;
  /** The lines of one stream in pieces of bounded size, in order, from a number on. */
  read(stream: string, fromSeq?: number): AsyncIterable<readonly StoredLine[]>;
  /** One line, or nothing. */
  line(stream: string, seq: number): Promise<StoredLine | undefined>;
  /** Lines of all streams behind a position, in commit order: at most `limit`, and of bounded size. */
  after(position: number, limit?: number): Promise<readonly StoredLine[]>;
  /** The position of the last line that is kept; 0 when there is none. */
  last(): Promise<number>;
}

// ── What is made of it ──────────────────────────────────────────────────────────────────────────────

export interface SessionFilter {
  /** A part of the folder's path. */
  readonly project?: string | undefined;
  readonly model?: string | undefined;
  readonly agent?: string | undefined;
  readonly status?: string | undefined;
  readonly tag?: string | undefined;
  readonly starred?: boolean | undefined;
  /** Epoch milliseconds; a session counts that was active in between. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly minCostUsd?: number | undefined;
  readonly maxCostUsd?: number | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** A session in a list. */
export interface SessionRow {
  readonly id: string;
  readonly agent: string;
  /** The folder's own name. */
  readonly project: string | null;
  readonly cwd: string | null;
  /** The name a person gave it, else the agent's, else the beginning of the first prompt. */
  readonly title: string | null;
  readonly model: string | null;
  /** `running` while a stream of it has a writer; else the summary's outcome. */
  readonly status: string;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly turns: number;
  readonly usage: Summary['usage'];
  readonly costUsd: number | null;
  readonly costState: FigureState;
  readonly starred: boolean;
  readonly tags: readonly string[];
  readonly lines: number;
  /** The last thing that the agent said on the main thread: at most 200 characters of it, on one line. */
  readonly lastText: string | null;
  /** How many files were changed. */
  readonly files: number;
  /** How many sub-agents were started. */
  readonly subagents: number;
}

export interface Labels {
  readonly name?: string | null | undefined;
  readonly starred?: boolean | undefined;
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
}

export type TextKind = 'prompt' | 'answer' | 'command' | 'path' | 'title';

export interface SearchOptions {
  readonly sessionId?: string | undefined;
  readonly kinds?: readonly TextKind[] | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly limit?: number | undefined;
}

/** A place where something was found. */
export interface SearchHit {
  readonly sessionId: string;
  /** The session's title, and the name of its folder. */
  readonly title: string | null;
  readonly project: string | null;
  readonly kind: TextKind;
  /** The words around it; `ranges` are the places of what was looked for, in UTF-16 units. */
  readonly snippet: string;
  readonly ranges: readonly (readonly [number, number])[];
  /** Higher is better; 0 when there are too many to rank and the newest come first. */
  readonly score: number;
  readonly at: number | null;
  /** Where it is in the record. */
  readonly position: number;
  readonly stream: string;
  readonly line: number;
  readonly messageId: string | null;
  readonly toolCallId: string | null;
}

/** A prompt that a session can be taken back to. */
export interface StoredCheckpoint {
  readonly id: string;
  readonly sessionId: string;
  readonly text: string;
  readonly at: number | null;
}

/** What one answer took, or a part of a total that no answer explains. The sum over all is the bill. */
export interface UsageEntry {
  /** The answer's id, or one that stands for the rest of a total. Counted once over all sessions. */
  readonly id: string;
  readonly sessionId: string;
  readonly subagentId: string | null;
  readonly at: number | null;
  readonly model: string | null;
  /** The folder: two of the same name are two projects. */
  readonly project: string | null;
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly outputTokens: number;
  /** As the agent told it; null where a price table has to. */
  readonly costUsd: number | null;
  /** 1 for an answer, 0 for the rest of a total. */
  readonly messages: number;
}

export interface SessionUsage {
  /** All sessions, each with a word that is another when it has changed. */
  readonly versions: ReadonlyMap<string, string>;
  readonly changed: ReadonlyMap<string, readonly UsageEntry[]>;
}

/** What the bill can be told apart by that its entries do not tell themselves. */
export type NamedBy = 'agent' | 'subagent' | 'tool';

/**
 * The names that an entry goes under: its agent, the kind of its sub-agent (`main` for none), or the tools that its answer called, a
 * tool as often as it was called (`none` for no call). Nothing where nobody knows.
 */
export type UsageNames = (entry: UsageEntry) => readonly string[];

export interface StoredCall {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly title: string | null;
  readonly outcome: string | null;
  readonly subagentId: string | null;
  readonly at: number | null;
  readonly durationMs: number | null;
  readonly position: number;
}

export interface StoredMessage {
  readonly id: string | null;
  readonly role: 'user' | 'agent';
  readonly subagentId: string | null;
  readonly model: string | null;
  readonly at: number | null;
  readonly text: string;
  readonly position: number;
}

export interface StoredFile {
  readonly path: string;
  readonly operation: string;
  readonly toolCallId: string | null;
  readonly at: number | null;
  readonly position: number;
}

/** Events of one line of the record, after the fold of all streams of the session. */
export interface SessionEvents {
  readonly position: number;
  readonly events: readonly AgentStreamEvent[];
}

/** Something that clients are told, in its place in the order of everything. */
export type Told =
  /** A line of the record told these events. */
  | {
      readonly kind: 'line';
      readonly place: number;
      readonly sessionId: string;
      readonly events: readonly AgentStreamEvent[];
    }
  /** Nobody writes to the session any more. These events close what is open; they hold until another line of it comes. */
  | {
      readonly kind: 'ended';
      readonly place: number;
      readonly sessionId: string;
      readonly events: readonly AgentStreamEvent[];
    }
  /** Other events stand where some stood that were told. */
  | { readonly kind: 'retold'; readonly place: number; readonly sessionId: string }
  /** There is no such session any more; `movedTo`: what was its is that one's. */
  | { readonly kind: 'gone'; readonly place: number; readonly sessionId: string; readonly movedTo: string | null };

/** A part of everything that is told. */
export interface Tidings {
  readonly epoch: string;
  /** In order; everything that lies behind the place that was asked for, up to `until`. */
  readonly told: readonly Told[];
  readonly until: number;
  /** How far everything is told: there is more while `until` is less. */
  readonly end: number;
}

export interface History {
  /** The session that a stream was found to belong to, and the position of its first line. */
  sessionOf(stream: string): Promise<{ readonly sessionId: string; readonly firstPosition: number } | undefined>;
  /** What was told behind a place, of all sessions or of these: a part of bounded size. Of an epoch that is over nothing is known. */
  tidings(after: number, sessions?: readonly string[]): Promise<Tidings>;
  /** Brings what is made of the record up to date. Another process may be at it: then it waits for that one, or gives up after `waitMs`. */
  catchUp(options?: {
    readonly waitMs?: number | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly onProgress?: ((done: number, all: number) => void) | undefined;
  }): Promise<CatchUp>;
  /** Makes everything anew from the record. */
  rebuild(): Promise<CatchUp>;
  sessions(filter?: SessionFilter): Promise<readonly SessionRow[]>;
  session(id: string): Promise<(SessionRow & { readonly summary: Summary }) | undefined>;
  /** Ids that begin with these characters, for people who do not type a whole one. At most ten. */
  resolve(beginning: string): Promise<readonly string[]>;
  messages(id: string): Promise<readonly StoredMessage[]>;
  calls(id: string): Promise<readonly StoredCall[]>;
  files(id: string): Promise<readonly StoredFile[]>;
  todos(id: string): Promise<Summary['todos']>;
  checkpoints(id: string): Promise<readonly StoredCheckpoint[]>;
  /** The session's events in the order of the record, behind a position. */
  events(id: string, after?: number): AsyncIterable<readonly SessionEvents[]>;
  /**
   * The last lines that told something, in the order of the record: as few as have so many events together, where there are as many.
   * What no line told does not count.
   */
  lastEvents(id: string, count: number): Promise<readonly SessionEvents[]>;
  usage(filter?: {
    readonly since?: number | undefined;
    readonly until?: number | undefined;
    /** Only what is this session's own. */
    readonly sessionId?: string | undefined;
  }): Promise<readonly UsageEntry[]>;
  /** What each session's lines tell, whatever stands in others too: only of those that are other than they are known. */
  usageOfSessions(known: ReadonlyMap<string, string>): Promise<SessionUsage>;
  /** What is known of the entries of these sessions: `main` is told by the entry itself. */
  usageNames(by: NamedBy, sessions?: readonly string[]): Promise<UsageNames>;
  search(words: string, options?: SearchOptions): Promise<readonly SearchHit[]>;
  label(id: string, labels: Labels): Promise<void>;
}

export interface CatchUp {
  readonly lines: number;
  readonly sessions: number;
  /** Lines that are kept and not yet taken up: another process is still at it. */
  readonly behind: number;
}

// ── The session's row of totals ─────────────────────────────────────────────────────────────────────

export interface SessionTotals {
  readonly sessionId: string;
  readonly totalInputTokens: number;
  readonly totalOutputTokens: number;
  readonly totalCostUsd: number;
  readonly model: string | null;
  readonly updatedAt: number;
}

/** What one run adds. */
export interface RunTotals {
  readonly runId: string;
  readonly sessionId: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  readonly model?: string | undefined;
}

export interface Metadata {
  /** Makes the session's row where there is none. */
  create(sessionId: string, model?: string): Promise<void>;
  /** Adds a run's totals once: a second time for the same run does nothing. Never throws: a failure is told in the result. */
  add(run: RunTotals): Promise<'added' | 'nothing' | 'repeated' | { readonly warning: string }>;
  get(sessionId: string): Promise<SessionTotals | undefined>;
}

// ── Keeping and forgetting ──────────────────────────────────────────────────────────────────────────

export interface SizeReport {
  readonly fileBytes: number;
  readonly lineBytes: number;
  readonly lines: number;
  readonly streams: number;
  readonly sessions: number;
  readonly indexBytes: number;
  readonly freeBytes: number;
}

export interface Store {
  readonly record: LineRecord;
  readonly history: History;
  readonly metadata: Metadata;
  /** Changes when what was told before is no longer so: a restored or repaired file, something forgotten, a better translator. */
  epoch(): Promise<string>;
  /** Whether another process has written since this was last asked. Costs next to nothing. */
  hasChanged(): boolean;
  /** Takes a session out: its lines, everything made of them, its labels. Fails as `busy` while it is written. */
  forget(sessionId: string): Promise<{ readonly lines: number; readonly streams: number }>;
  /** Whether it was forgotten: then nobody takes it in again unless the person says so. */
  isForgotten(sessionId: string): Promise<boolean>;
  /** Forgets the sessions that ended before this time, but those with a star. */
  forgetBefore(time: number): Promise<readonly string[]>;
  size(): Promise<SizeReport>;
  /** Gives the space of what was forgotten back to the disk. */
  vacuum(): Promise<void>;
  close(): Promise<void>;
}
