// How far a turn is: a fold over the events. The todo list tells first, then calls and time against a history, then a
// curve. Within a turn the percentage never falls, and only a turn that ended well is at 100.

import type { AgentStreamEvent, EventType, Outcome, TodoEntry } from '../event/event.ts';
import { createEstimate, type PastRun } from './estimate.ts';
import { createPhaseTrace } from './phase.ts';

/** How far the current turn is, or, between turns, how the last one ended. */
export interface Progress {
  /** What the agent is at, in words for people: "reading files", "waiting for your permission", "done". */
  readonly phase: string;
  /** The todo entry in progress, in the agent's own words; apart from `phase`, so that a host can leave it out. */
  readonly activity?: string;
  /** A whole number, 0 to 100. It never falls within a turn; a new turn begins at 0. 100 is a turn that ended well. */
  readonly percentage: number;
  /** `measured`: that much of the todo list is done, or the turn ended well. `estimated`: a guess, always below 95. */
  readonly basis: 'measured' | 'estimated';
  /** Calls that this turn began, those of sub-agents included. */
  readonly toolCalls: number;
  /** How long the turn has taken, waiting included. Absent when no event carried a time. */
  readonly elapsedMs?: number;
  /** How long it may still take, waiting left out. Absent when there is nothing to work it out from. */
  readonly remainingMs?: number;
}

export interface ProgressFold {
  add(event: AgentStreamEvent): void;
  /** The progress so far. `now` is on the scale of the events' `at`, else `time`; without it the last event is now. */
  progress(now?: number): Progress;
}

export interface ProgressOptions {
  /** Earlier turns to compare with while there is no todo list. */
  readonly history?: readonly PastRun[] | undefined;
  /** The kind of this task: only earlier turns of the same kind count, if there are any. */
  readonly kind?: string | undefined;
}

type Shown = Pick<Progress, 'percentage' | 'basis'>;
type End = 'done' | 'failed' | 'stopped';

interface Turn {
  readonly id: string | undefined;
  /** Nothing but a prompt began it, as in a session file, which has no turns. */
  readonly isPrompted: boolean;
  end: End | undefined;
  shown: Shown;
  list: { readonly done: number; readonly all: number } | undefined;
  /** Entries that were done before this turn, as far as its lists tell: they say nothing about its pace. */
  doneBefore: number;
  activity: string | undefined;
  toolCalls: number;
  /** Calls without those that only keep the list. */
  work: number;
  /** The latest time told. */
  latest: number | undefined;
  /** Absent until an event told a time. */
  elapsedMs: number | undefined;
  /** The part of it in which nobody was waited for. */
  workedMs: number;
}

/** A list that is all done is not the end: the answer is still to come. */
const ALL_DONE = 99;

/** Farther from 1970 no date can be. */
const MAX_TIME = 8.64e15;

/** What begins a turn in a stream whose `turn-start` was not seen. Time before the first turn is nobody's work. */
const beginnings: ReadonlySet<EventType> = new Set<EventType>([
  'step-start',
  'message-start',
  'text-start',
  'reasoning-start',
  'tool-call-start',
  'todo-update',
  'turn-end',
  'session-end',
]);

/**
 * A todo list of the main thread is measured: done entries of all; cancelled ones count as done, one in progress does
 * not count yet. When the list grows or goes away, or comes after a guess that was too high, the figure shown and its
 * basis stay until they are overtaken.
 *
 * @example
 * const fold = createProgress({ history: [{ toolCalls: 12, durationMs: 90_000 }] });
 * for (const event of decoder.feed(bytes)) fold.add(event);
 * const { phase, percentage } = fold.progress();
 */
export function createProgress(options: ProgressOptions = {}): ProgressFold {
  const estimate = createEstimate(options.history ?? [], options.kind);
  const trace = createPhaseTrace();
  let turn: Turn | undefined;
  let hasArrivals = false; // some event carried `at`: the agent's own clock is not asked any more

  function startTurn(id: string | undefined, isPrompted = false): Turn {
    trace.startTurn();
    turn = {
      id,
      isPrompted,
      end: undefined,
      shown: { percentage: 0, basis: 'estimated' },
      list: undefined,
      doneBefore: Number.POSITIVE_INFINITY,
      activity: undefined,
      toolCalls: 0,
      work: 0,
      latest: undefined,
      elapsedMs: undefined,
      workedMs: 0,
    };
    return turn;
  }

  /** The turn that the event belongs to; nothing before the first turn, and nothing after the end of one. */
  function turnOf(event: AgentStreamEvent): Turn | undefined {
    if (event.type === 'turn-start' && (turn?.end !== undefined || turn?.id !== event.turnId))
      return startTurn(event.turnId);
    if (!turn && beginnings.has(event.type)) return startTurn(undefined);
    if (turn?.id === undefined && isPrompt(event)) return startTurn(undefined, true);
    return turn?.end === undefined ? turn : undefined;
  }

  function tick(current: Turn, time: number): void {
    const passed = Math.max(0, time - (current.latest ?? time));
    current.elapsedMs = (current.elapsedMs ?? 0) + passed;
    if (!trace.isWaiting()) current.workedMs += passed;
    current.latest = Math.max(time, current.latest ?? time);
  }

  function tickBy(current: Turn, event: AgentStreamEvent): void {
    if (isTime(event.at)) {
      // The two clocks may differ: what passed between their last times is not known.
      if (!hasArrivals) current.latest = undefined;
      hasArrivals = true;
      tick(current, event.at);
    } else if (!hasArrivals && isTime(event.time) && !isEcho(event)) {
      tick(current, event.time);
    }
  }

  /** A higher figure is shown, a lower one is not; an equal one brings its basis. */
  function settle(current: Turn): void {
    const { list, work, elapsedMs, workedMs } = current;
    const shown: Shown = list
      ? { percentage: Math.min(ALL_DONE, Math.floor((list.done * 100) / list.all)), basis: 'measured' }
      : { percentage: estimate.percentage(work, elapsedMs === undefined ? undefined : workedMs), basis: 'estimated' };
    if (shown.percentage >= current.shown.percentage) current.shown = shown;
  }

  function remainingMs({ end, list, elapsedMs, workedMs, doneBefore }: Turn): number | undefined {
    if (end !== undefined) return end === 'done' ? 0 : undefined;
    if (elapsedMs === undefined) return undefined;
    const done = list ? list.done - doneBefore : 0;
    if (list && done > 0 && workedMs > 0) return (workedMs / done) * (list.all - list.done);
    return estimate.durationMs === undefined ? undefined : Math.max(0, estimate.durationMs - workedMs);
  }

  return {
    add(event) {
      const current = turnOf(event);
      if (current) tickBy(current, event);
      trace.add(event);
      if (!current) return;
      switch (event.type) {
        case 'tool-call-start':
          current.toolCalls++;
          if (!event.tags?.includes('todo')) current.work++;
          break;
        case 'todo-update':
          if (event.subagentId === undefined) takeList(current, event.entries);
          break;
        case 'turn-end':
          // The end of a turn that another one has overtaken is not the end of that one.
          if (current.id !== undefined && current.id !== event.turnId) break;
          // Few lines carry the agent's own time, and the end is not among them; its duration is whole.
          if (!hasArrivals && isTime(event.durationMs))
            current.elapsedMs = Math.max(current.elapsedMs ?? 0, event.durationMs);
          current.end = endOf(event.outcome);
          break;
        case 'session-end':
          // How a session file ends is how its last prompt was answered.
          if (current.isPrompted) current.end = endOf(event.outcome);
          else current.end = event.outcome === 'error' ? 'failed' : 'stopped';
          break;
      }
      if (current.end === 'done') current.shown = { percentage: 100, basis: 'measured' };
      else if (current.end === undefined) settle(current);
    },
    progress(now) {
      if (!turn) return { phase: trace.phase(), percentage: 0, basis: 'estimated', toolCalls: 0 };
      const { end } = turn;
      if (end === undefined && turn.elapsedMs !== undefined && isTime(now)) {
        tick(turn, now);
        settle(turn);
      }
      const remaining = remainingMs(turn);
      return {
        phase: end ?? trace.phase(),
        ...(end === undefined && turn.activity !== undefined && { activity: turn.activity }),
        ...turn.shown,
        toolCalls: turn.toolCalls,
        ...(turn.elapsedMs !== undefined && { elapsedMs: Math.round(turn.elapsedMs) }),
        ...(remaining !== undefined && { remainingMs: Math.round(remaining) }),
      };
    },
  };
}

function takeList(turn: Turn, entries: readonly TodoEntry[]): void {
  const done = entries.filter(({ status }) => status === 'completed' || status === 'cancelled').length;
  turn.list = entries.length > 0 ? { done, all: entries.length } : undefined;
  if (turn.list) turn.doneBefore = Math.min(turn.doneBefore, done);
  turn.activity = entries.find(({ status }) => status === 'in_progress')?.content;
}

function endOf(outcome: Outcome): End {
  if (outcome === 'success') return 'done';
  return outcome === 'error' || outcome === 'denied' ? 'failed' : 'stopped';
}

function isTime(value: number | undefined): value is number {
  return typeof value === 'number' && Math.abs(value) <= MAX_TIME;
}

/** A message that is only told again has the time of long ago. */
function isEcho(event: AgentStreamEvent): boolean {
  return event.type === 'user-message' && event.origin === 'replay';
}

function isPrompt(event: AgentStreamEvent): boolean {
  return event.type === 'user-message' && event.origin === 'prompt' && event.subagentId === undefined;
}
