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
  /** Those that begin at a place that is still to be said. */
  const prepared = new Map<string, SessionState>();

  const isIn = ({ sessionId, place }: Told): boolean =>
    !sessions || place >= (sessions.get(sessionId) ?? Number.POSITIVE_INFINITY);

  async function begin(sessionId: string, place: number): Promise<SessionState> {
    const state = createState(sessionId, wanted);
    if (!isPastNeeded) return state;
    for await (const events of past.events(sessionId, place)) for (const event of events) state.hear(event);
    return state;
  }

  async function lookAbout(sessionId: string, state: SessionState): Promise<void> {
    if (!isAboutAsked || state.isAboutSure) return;
    const about = await past.about(sessionId);
    state.isWanted = about !== undefined && isSessionWanted(filter, about);
    state.isAboutSure = about !== undefined && about.agent !== 'unknown' && about.project !== undefined;
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
      prepared.clear();
      // As it will be when it is said: what ends a session here begins it anew with its next line.
      const open = new Map(states);
      for (const one of told) {
        const { sessionId, place } = one;
        if (!isIn(one)) continue;
        if ('events' in one) {
          const state = open.get(sessionId) ?? (await begin(sessionId, place));
          await lookAbout(sessionId, state);
          if (!open.has(sessionId)) prepared.set(nameOf(one), state);
          open.set(sessionId, state);
        }
        if (one.kind !== 'line') open.delete(sessionId);
      }
    },
    say(told) {
      const { sessionId } = told;
      if (!isIn(told)) return [];
      const state = states.get(sessionId) ?? prepared.get(nameOf(told));
      if (told.kind !== 'line') states.delete(sessionId);
      else if (state) states.set(sessionId, state);
      if (told.kind === 'retold') return [];
      if (told.kind === 'gone')
        return [text({ type: 'gone', sessionId, ...(told.movedTo !== null && { movedTo: told.movedTo }) })];
      return state?.isWanted ? events(state, told) : [];
    },
  };
}

/** A session is told once in each place. */
function nameOf({ sessionId, place }: Told): string {
  return `${place} ${sessionId}`;
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
