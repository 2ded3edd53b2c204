// Tells a finished session again: which conversation is to be seen now, and what the player can do.

import type { SessionFeedView } from '@tailrace/client/timeline';
import type { Conversation } from '@tailrace/core';
import { useEffect, useMemo, useState } from 'react';
import {
  countAt,
  createTrack,
  pause,
  play,
  positionAt,
  type ReplayClock,
  type ReplayTrack,
  type Speed,
  seek,
  setSpeed,
  stoppedClock,
} from './replay-clock.ts';
import { createReplayFold } from './replay-fold.ts';

export interface Replay {
  /** As it was at the place of the clock. */
  readonly conversation: Conversation;
  readonly positionMs: number;
  readonly lengthMs: number;
  readonly isPlaying: boolean;
  readonly speed: Speed;
  toggle(): void;
  seek(positionMs: number): void;
  setSpeed(speed: Speed): void;
}

/** Nothing while it is not asked for. */
export function useReplay({ events, eventCount, conversation }: SessionFeedView, isOn: boolean): Replay | null {
  const [clock, setClock] = useState<ReplayClock>(stoppedClock);
  const [now, setNow] = useState(0);
  const tape = useMemo(() => {
    if (!isOn) return null;
    const played = events.slice(0, eventCount);
    return { track: createTrack(played.map(({ event }) => event)), fold: createReplayFold(played) };
  }, [isOn, events, eventCount]);

  useEffect(() => {
    if (!tape) return;
    const begun = performance.now();
    setNow(begun);
    setClock(play(stoppedClock, tape.track, begun));
  }, [tape]);

  useEffect(() => {
    if (!tape || !clock.isPlaying) return;
    let frame = requestAnimationFrame(tick);
    function tick(): void {
      const time = performance.now();
      setNow(time);
      if (tape && positionAt(clock, tape.track, time) >= tape.track.lengthMs)
        setClock((before) => pause(before, tape.track, time));
      else frame = requestAnimationFrame(tick);
    }
    return () => cancelAnimationFrame(frame);
  }, [tape, clock]);

  if (!tape) return null;
  const { track, fold } = tape;
  const positionMs = positionAt(clock, track, now);
  const count = countAt(track, positionMs);
  const change = (step: (clock: ReplayClock, track: ReplayTrack, time: number) => ReplayClock): void => {
    const time = performance.now();
    setNow(time);
    setClock((before) => step(before, track, time));
  };
  return {
    // At its end it is shown as it was closed.
    conversation: count >= eventCount ? conversation : fold(count),
    positionMs,
    lengthMs: track.lengthMs,
    isPlaying: clock.isPlaying,
    speed: clock.speed,
    toggle: () => change((before, _, time) => (before.isPlaying ? pause : play)(before, track, time)),
    seek: (to) => change((before, _, time) => seek(before, track, to, time)),
    setSpeed: (speed) => change((before, _, time) => setSpeed(before, track, speed, time)),
  };
}
