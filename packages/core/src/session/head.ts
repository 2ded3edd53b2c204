// What a session is run with, as several streams tell it.

import type { AgentStreamEvent, EventOf } from '../event/event.ts';
import type { StreamState } from './stream.ts';

export interface Head {
  /** The event with what is new in it; nothing where nothing is. */
  newIn(from: StreamState, event: EventOf<'session-start' | 'session-update'>): AgentStreamEvent | undefined;
}

/** The first start is the session's; what a later one tells is an update. Where stdout told a fact, a file does not change it. */
export function createHead(): Head {
  /** What stdout told about the session: the files only fill in. */
  const facts = new Set<string>();
  const filed = new Set<string>();
  let isStarted = false;

  return {
    newIn(from, event) {
      const leads = from.stream.source === 'stdout';
      const isFirst = event.type === 'session-start' && !isStarted;
      const kept: Record<string, unknown> = {};
      let news = 0;
      for (const [key, value] of Object.entries(event)) {
        if (BASE.has(key)) {
          kept[key] = value;
          continue;
        }
        // Of what changes in the course of a session a file tells only the first: where it changed, stdout knows better.
        if (!leads && (facts.has(key) || (CHANGING.has(key) && filed.has(key)))) continue;
        (leads ? facts : filed).add(key);
        kept[key] = value;
        news++;
      }
      if (event.type === 'session-start') isStarted = true;
      if (!isFirst && news === 0) return undefined;
      // The fields are those of the event it came from, and `session-update` has all facts of `session-start`.
      if (isFirst) return { ...kept, agent: event.agent } as unknown as AgentStreamEvent;
      return { ...kept, type: 'session-update' } as unknown as AgentStreamEvent;
    },
  };
}

const CHANGING: ReadonlySet<string> = new Set(['permissionMode', 'model']);

/** The fields that every event may have: they are no facts of the session. */
const BASE: ReadonlySet<string> = new Set([
  'type',
  'seq',
  'line',
  'time',
  'at',
  'after',
  'lineId',
  'from',
  'sessionId',
  'subagentId',
  'synthetic',
  'extra',
  'native',
  'agent',
  'resumed',
]);
