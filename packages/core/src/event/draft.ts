// An event on its way to be written: an optional field may still be `undefined`, and nobody has numbered it yet.

import type { AgentStreamEvent } from './event.ts';

type Unstamped = 'seq' | 'line' | 'at' | 'time' | 'sessionId' | 'subagentId' | 'native';

/** An {@link AgentStreamEvent} without what the decoder adds; optional fields may be `undefined`, which is not stored. */
export type EventDraft = AgentStreamEvent extends infer Event
  ? Event extends AgentStreamEvent
    ? {
        readonly [K in keyof Event as Exclude<K, Unstamped>]: object extends Pick<Event, K>
          ? Event[K] | undefined
          : Event[K];
      }
    : never
  : never;
