// What is told → messages for those who want the same, as JSON. Some of it can only be said by whoever knows what came before: which
// tool a call belongs to, how long a call took. That is read again from the history where it is not known.

import type { AgentStreamEvent } from '@tailrace/core';
import { type Activity, type ActivityMessage, createActivity, isWanted, type ServerMessage } from '@tailrace/protocol';
import type { Told } from '@tailrace/store';
import { activityTextOf } from './activity-text.ts';
import { endedTextOf } from './ended-text.ts';
import { eventTextOf } from './event-message.ts';
import { createSelection, isSessionWanted, type Selection, type SessionAbout } from './selection.ts';
import type { Wanted } from './wanted.ts';

export interface View {
  /** Learns what has to be known before these can be said. */
  prepare(told: readonly Told[]): Promise<void>;
  /** What is said of it: nothing where nothing of it is wanted. */
  say(told: Told): readonly string[];
}

/** Where a view learns what came before. */
export interface Past {
  /** The events of a session before a place. */
  events(sessionId: string, before: number): AsyncIterable<readonly AgentStreamEvent[]>;
  about(sessionId: string): Promise<SessionAbout | undefined>;
}

export function createView(wanted: Wanted, past: Past): View {
  const { view, sessions, filter } = wanted;
  const isAboutAsked = filter.agents !== undefined || filter.projects !== undefined;
  /** Without a filter by tool, events say all that has to be known. */
  const isPastNeeded = view === 'activity' || filter.tools !== undefined;
  const states = new Map<string, SessionState>();

  const isIn = ({ sessionId, place }: Told): boolean =>
    !sessions || place >= (sessions.get(sessionId) ?? Number.POSITIVE_INFINITY);

  async function stateOf(sessionId: string, place: number): Promise<void> {
    const state = states.get(sessionId) ?? createState(sessionId, wanted);
    if (isAboutAsked && !state.isAboutSure) {
      const about = await past.about(sessionId);
      state.isWanted = about !== undefined && isSessionWanted(filter, about);
      state.isAboutSure = about !== undefined && about.agent !== 'unknown' && about.project !== undefined;
    }
    if (states.has(sessionId)) return;
    if (isPastNeeded) {
      for await (const events of past.events(sessionId, place)) for (const event of events) state.hear(event);
    }
    states.set(sessionId, state);
  }

  function events(state: SessionState, told: Extract<Told, { readonly events: unknown }>): readonly string[] {
    const { sessionId, place } = told;
    if (view === 'activity')
      return told.events.flatMap((event) => state.activity(event)).map((one) => activityTextOf(sessionId, place, one));
    const chosen = told.events.filter((event) => state.isChosen(event));
    if (told.kind === 'line') return chosen.map((event) => textOf(sessionId, place, event));
    return [endedTextOf(sessionId, place, chosen)];
  }

  return {
    async prepare(told) {
      for (const one of told) if ('events' in one && isIn(one)) await stateOf(one.sessionId, one.place);
    },
    say(told) {
      const { sessionId } = told;
      if (!isIn(told)) return [];
      // What is said of it next is said of something else.
      if (told.kind === 'gone' || told.kind === 'retold') states.delete(sessionId);
      if (told.kind === 'retold') return [];
      if (told.kind === 'gone')
        return [text({ type: 'gone', sessionId, ...(told.movedTo !== null && { movedTo: told.movedTo }) })];
      const state = states.get(sessionId);
      if (!state?.isWanted) return [];
      const said = events(state, told);
      // If it goes on, it goes on from its last line.
      if (told.kind === 'ended') states.delete(sessionId);
      return said;
    },
  };
}

interface SessionState {
  /** Whether the filter lets anything of it through, and whether that can still change. */
  isWanted: boolean;
  isAboutSure: boolean;
  /** Learns of what came before. */
  hear(event: AgentStreamEvent): void;
  isChosen(event: AgentStreamEvent): boolean;
  activity(event: AgentStreamEvent): readonly ActivityMessage[];
}

function createState(sessionId: string, { filter, switches, progressIntervalMs, view }: Wanted): SessionState {
  const selection: Selection = createSelection(filter);
  const begin = (workOrderId: string, runId: string): Activity =>
    createActivity({ workOrderId, runId, progressIntervalMs, includeReasoning: switches.includeReasoning });
  let fold = begin(sessionId, sessionId);

  function activity(event: AgentStreamEvent): readonly ActivityMessage[] {
    if (event.type === 'run-start') fold = begin(event.workOrderId ?? event.runId, event.runId);
    const isChosen = selection.isWanted(event);
    const messages = fold.add(event);
    return isChosen ? messages.filter((message) => isWanted(message, switches)) : [];
  }

  return {
    isWanted: true,
    isAboutSure: false,
    hear(event) {
      if (view === 'activity') activity(event);
      else selection.isWanted(event);
    },
    isChosen: (event) => selection.isWanted(event),
    activity,
  };
}

/** Made once, for however many views. */
const texts = new WeakMap<AgentStreamEvent, string>();

function textOf(sessionId: string, position: number, event: AgentStreamEvent): string {
  const made = texts.get(event) ?? eventTextOf(sessionId, position, event);
  texts.set(event, made);
  return made;
}

function text(message: ServerMessage): string {
  return JSON.stringify(message);
}
