// One of a session's streams, and what the fold remembers of it.

import type { AgentStreamEvent, EventOf } from '../event/event.ts';

/** One source of a session's events: the pipe of one run, or one file. Each has a decoder of its own. */
export interface SessionStream {
  readonly id: string;
  /** Stdout leads: what both tell about the session itself is taken from it. */
  readonly source: 'stdout' | 'transcript';
}

export interface StreamState {
  readonly stream: SessionStream;
  /** The agent's time of the last answer or tool result, by thread. */
  readonly latest: Map<string, number>;
  /** How often something without an id was told. */
  readonly counts: Map<string, number>;
  /** Its names of sub-agents that another stream named otherwise. */
  readonly aliases: Map<string, string>;
  /** Whether it holds anything of the main thread. */
  hasMain: boolean;
  /** The retry that is under way. */
  retry: string | undefined;
  /** A compaction waits for its end, which tells whether it is new; and the end for the summary after it, which has a time. */
  compaction: AgentStreamEvent | undefined;
  boundary: EventOf<'compaction-end'> | undefined;
  end: EventOf<'session-end'> | undefined;
}

export function createStreamState(stream: SessionStream): StreamState {
  return {
    stream,
    latest: new Map(),
    counts: new Map(),
    aliases: new Map(),
    hasMain: false,
    retry: undefined,
    compaction: undefined,
    boundary: undefined,
    end: undefined,
  };
}
