// Who speaks Claude's dialect, and how: what differs from speaker to speaker, in one small table each.

import type { AgentError, ContentPart, Outcome } from '../../../event/event.ts';
import type { Json, Loose } from '../../../event/json.ts';
import type { Ending, Exit, Seen } from '../../agent.ts';
import type { ToolTraits } from '../../tools.ts';
import type { WireLine } from './wire.ts';

/** What a successful call does beyond its result. */
export type Effect = 'write' | 'edit' | 'replace_todos' | 'add_todo' | 'change_todo' | 'plan';

/** What a result says that its error flag does not. */
export interface ToldResult {
  readonly outcome?: Outcome | undefined;
  readonly exitCode?: number | undefined;
  /** The result as people read it, and as programs do, where the speaker wraps both into one string. */
  readonly content?: readonly ContentPart[] | undefined;
  readonly output?: Json;
  /** Who refused the call, and in which words, where the speaker calls that an error like any other. */
  readonly refusal?: { readonly by: 'policy' | 'unknown'; readonly error: AgentError } | undefined;
  /** The whole todo list, where the input may be only a part of it. */
  readonly todos?: readonly Json[] | undefined;
}

/** Says a line in Claude's words; nothing when there is nothing to tell. */
export type Listener = (line: Loose<WireLine>) => Loose<WireLine> | undefined;

export interface Speaker {
  /** The agent's name. */
  readonly agent: string;
  /** The field of `init` that tells the version. */
  readonly versionField: string;
  traitsOf(toolName: string): ToolTraits;
  effectOf(toolName: string): Effect | undefined;
  /** The tool that asks the person something. */
  readonly questionTool?: string;
  /** Whether a result's `usage` is the main thread's alone, or everything the process has used so far. */
  readonly resultUsage: 'main' | 'all';
  /** For lines that are not quite Claude's. One for each stream: it may remember what came before. */
  createListener?(): Listener;
  readResult?(toolName: string, text: string, isError: boolean): ToldResult;
  readExit(exit: Exit, seen: Seen): Ending;
}
