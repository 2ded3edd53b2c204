// Which session a stream belongs to, where nobody told before its lines were read.

import type { AgentStreamEvent, Decoder } from '@tailrace/core';
import type { FoldedLine } from './fold-session.ts';

export interface Belonging {
  readonly session: string;
  /** Somebody told it; else it is the run's own name, until somebody does. */
  readonly isTold: boolean;
}

/** So many lines are looked at. An agent that has not told its session by then does not tell it. */
const TELLING_LINES = 500;

/** The first session that the lines of a stream tell; else the id of the run, else the name of the stream. */
export function findSession(lines: Iterable<FoldedLine>, decoder: Decoder, stream: string): Belonging {
  let runId: string | undefined;
  let count = 0;
  const look = (events: readonly AgentStreamEvent[]): string | undefined => {
    for (const event of events) {
      if (event.sessionId !== undefined && event.sessionId !== '') return event.sessionId;
      if (event.type === 'run-start') runId ??= event.runId;
    }
    return undefined;
  };
  for (const { bytes, at, source } of lines) {
    const session = look(tryTo(() => decoder.feed(bytes, { at, source })));
    if (session !== undefined) return { session, isTold: true };
    count++;
    if (count >= TELLING_LINES) break;
  }
  // A last line without its line feed, or an agent that only its end makes known.
  const session = look(tryTo(() => decoder.end()));
  if (session !== undefined) return { session, isTold: true };
  return { session: runId || stream, isTold: count >= TELLING_LINES };
}

function tryTo(work: () => readonly AgentStreamEvent[]): readonly AgentStreamEvent[] {
  try {
    return work();
  } catch {
    return [];
  }
}
