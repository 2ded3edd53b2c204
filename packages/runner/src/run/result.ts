// How a run ended, for programs and in a sentence for people.

import type { AgentError, AgentStreamEvent, Cost, EventOf, Outcome, Usage } from '@tailrace/core';

/** Which way the process went. */
export type RunEnd =
  /** By itself. */
  | 'exit'
  /** By a signal that did not come from here. */
  | 'signal'
  /** Somebody asked for it. */
  | 'stopped'
  /** Its work was done and it did not end, so it was ended. */
  | 'hung';

export interface RunResult {
  readonly end: RunEnd;
  readonly outcome: Outcome;
  /** It did what it was asked, as far as anybody knows: an exit with 0 and no word of a failure counts. */
  readonly success: boolean;
  /** It was stopped, by us or by somebody's signal; a crash is none. */
  readonly aborted: boolean;
  /** What went wrong, with exit code, signal and the last of stderr. */
  readonly error?: string;
  readonly exitCode?: number;
  readonly signal?: string;
  /** The end of what it said on stderr. */
  readonly stderr: string;
  readonly sessionId?: string;
  readonly usage?: Usage;
  readonly cost?: Cost;
}

export interface Exited {
  readonly code: number | null;
  readonly signal: string | null;
}

/** `last` is the end of the session as the stream has it. */
export function resultOf(
  end: RunEnd,
  { code, signal }: Exited,
  last: EventOf<'session-end'> | undefined,
  lastTurn: EventOf<'turn-end'> | undefined,
  stderr: string,
): RunResult {
  const outcome = last?.outcome ?? 'unknown';
  const aborted = end === 'stopped' || outcome === 'cancelled';
  const success = !aborted && (outcome === 'success' || (outcome === 'unknown' && code === 0 && !lastTurn?.error));
  const error =
    success || (end === 'stopped' && !last?.error) ? undefined : sentence(last?.error, code, signal, stderr);
  return {
    end,
    outcome,
    success,
    aborted,
    ...(error !== undefined && { error }),
    ...(code !== null && { exitCode: code }),
    ...(signal !== null && { signal }),
    stderr,
    ...(last?.sessionId !== undefined && { sessionId: last.sessionId }),
    ...(last?.usage && { usage: last.usage }),
    ...(last?.cost && { cost: last.cost }),
  };
}

function sentence(error: AgentError | undefined, code: number | null, signal: string | null, stderr: string): string {
  const how = signal === null ? (code === null || code === 0 ? '' : `exit code ${code}`) : `signal ${signal}`;
  const said = stderr.trim();
  return [error?.message ?? (how === '' ? 'the run ended without an answer' : `the agent ended with ${how}`)]
    .concat(error && how !== '' && !error.message.includes(how) ? [`(${how})`] : [])
    .concat(said === '' ? [] : [`stderr: ${said}`])
    .join(' ');
}

/** The last of each, as the events go by. */
export interface Endings {
  session?: EventOf<'session-end'>;
  turn?: EventOf<'turn-end'>;
}

export function noteEnding(endings: Endings, event: AgentStreamEvent): void {
  if (event.type === 'session-end') endings.session = event;
  if (event.type === 'turn-end') endings.turn = event;
}
