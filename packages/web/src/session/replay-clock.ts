// A finished session told again in its own time. Pure: a track says when each event is due, a clock says how far it is.

import type { AgentStreamEvent } from '@tailrace/core';

/** Nobody wants to wait longer than this for the next thing. */
const LONGEST_GAP_MS = 2000;
/** Where nobody told when anything was. */
const UNTIMED_STEP_MS = 20;
/** At the highest speed the whole of it takes so long, however long it was. */
const WHOLE_MS = 5000;

export const SPEEDS = [1, 2, 5, 20, 'max'] as const;
export type Speed = (typeof SPEEDS)[number];

export interface ReplayTrack {
  /** When each event is due, in milliseconds from the first; never less than the one before. */
  readonly times: readonly number[];
  readonly lengthMs: number;
}

export function createTrack(events: readonly AgentStreamEvent[]): ReplayTrack {
  const timeOf = clockOf(events);
  const times: number[] = [];
  let due = 0;
  let last: number | undefined;
  for (const event of events) {
    const now = timeOf(event);
    if (now !== undefined) {
      if (last !== undefined) due += Math.min(Math.max(0, now - last), LONGEST_GAP_MS);
      // A clock that was set back has told this time already.
      last = Math.max(now, last ?? now);
    }
    times.push(due);
  }
  if (due > 0) return { times, lengthMs: due };
  const stepped = times.map((_, index) => index * UNTIMED_STEP_MS);
  return { times: stepped, lengthMs: stepped.at(-1) ?? 0 };
}

type TimeOf = (event: AgentStreamEvent) => number | undefined;

/** When things arrived, which every event of a run tells; of lines that were read all at once, what the agent tells. */
function clockOf(events: readonly AgentStreamEvent[]): TimeOf {
  const arrived: TimeOf = ({ at }) => at;
  const told: TimeOf = ({ time }) => time;
  return spanOf(events, arrived) * 2 >= spanOf(events, told) ? arrived : told;
}

function spanOf(events: readonly AgentStreamEvent[], timeOf: TimeOf): number {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const event of events) {
    const time = timeOf(event);
    if (time === undefined) continue;
    first = Math.min(first, time);
    last = Math.max(last, time);
  }
  return Math.max(0, last - first);
}

/** How many events are due at this place of the track. */
export function countAt({ times }: ReplayTrack, positionMs: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= positionMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface ReplayClock {
  readonly isPlaying: boolean;
  readonly speed: Speed;
  /** Where it was at `since`, the host's milliseconds. */
  readonly positionMs: number;
  readonly since: number;
}

export const stoppedClock: ReplayClock = { isPlaying: false, speed: 1, positionMs: 0, since: 0 };

/** Where the clock is now. */
export function positionAt(clock: ReplayClock, track: ReplayTrack, now: number): number {
  if (!clock.isPlaying) return within(clock.positionMs, track);
  const passed = Math.max(0, now - clock.since) * factorOf(clock.speed, track);
  return within(clock.positionMs + passed, track);
}

/** From the beginning where it was at the end. */
export function play(clock: ReplayClock, track: ReplayTrack, now: number): ReplayClock {
  const positionMs = positionAt(clock, track, now);
  return { ...clock, isPlaying: true, positionMs: positionMs >= track.lengthMs ? 0 : positionMs, since: now };
}

export function pause(clock: ReplayClock, track: ReplayTrack, now: number): ReplayClock {
  return { ...clock, isPlaying: false, positionMs: positionAt(clock, track, now), since: now };
}

export function seek(clock: ReplayClock, track: ReplayTrack, positionMs: number, now: number): ReplayClock {
  return { ...clock, positionMs: within(positionMs, track), since: now };
}

export function setSpeed(clock: ReplayClock, track: ReplayTrack, speed: Speed, now: number): ReplayClock {
  return { ...clock, speed, positionMs: positionAt(clock, track, now), since: now };
}

function within(positionMs: number, { lengthMs }: ReplayTrack): number {
  return Math.min(Math.max(0, positionMs), lengthMs);
}

function factorOf(speed: Speed, { lengthMs }: ReplayTrack): number {
  return speed === 'max' ? Math.max(20, lengthMs / WHOLE_MS) : speed;
}
