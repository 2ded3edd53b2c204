// The bill of an agent's session files without reading all of them: which lines can tell something, and what one tells.

import type { ModelUsage, Usage } from '../event/event.ts';
import type { Json } from '../event/json.ts';

/** How the lines of an agent's session files tell what was used. Pure: whoever reads the files asks this. */
export interface TranscriptUsage {
  /**
   * A line with an answer has the first of these in it, one with a total the second, to the byte; all others need not be parsed.
   * Each begins with a character that is rare in texts and is short, so that it can be looked for at the speed of memory.
   */
  readonly marks: { readonly answer: string; readonly total: string };
  /**
   * Between these, to the byte, stands what an answer says, nothing of which is about the bill; around them, in the same object,
   * its id and its usage. A line may lack them. In a text they cannot stand: a quotation mark there has a backslash before it.
   */
  readonly bulk: { readonly begin: string; readonly end: string };
  /** What a line tells; nothing when it does not count. It must be what the translator would have made of it. */
  read(line: Json): UsageSighting | undefined;
  /**
   * The time of a line that a total's end is measured by, answers among them: what came before a total is in it, what comes
   * after is not. Nothing for other lines.
   */
  timeOf(line: Json): number | undefined;
  /** What the agent tells a program that makes a line for its status bar; nothing when it is something else. */
  readStatus?(payload: Json): StatusFacts | undefined;
}

/** What an agent tells about the session that it is showing. */
export interface StatusFacts {
  readonly sessionId: string | undefined;
  /** As people call it. */
  readonly model: string | undefined;
  /** The session's cost so far. */
  readonly costUsd: number | undefined;
  /** How full the context is, and how much it holds, in tokens. */
  readonly contextUsed: number | undefined;
  readonly contextSize: number | undefined;
}

/** What one line tells about the bill. */
export type UsageSighting = AnswerSighting | TotalSighting;

/** An answer, or a part of one: its usage is told again with each. The greatest counts. */
export interface AnswerSighting {
  readonly kind: 'answer';
  readonly id: string;
  readonly sessionId: string | undefined;
  readonly cwd: string | undefined;
  readonly time: number | undefined;
  readonly model: string | undefined;
  /** Whose answer it is; absent on the main thread. */
  readonly subagentId: string | undefined;
  readonly usage: Usage;
  readonly costUsd: number | undefined;
}

/** Everything that was used since some time. */
export interface TotalSighting {
  readonly kind: 'total';
  readonly sessionId: string | undefined;
  readonly since: number | undefined;
  readonly usage: Usage;
  readonly models: Readonly<Record<string, ModelUsage>>;
  readonly costUsd: number | undefined;
}
