// What several tests lean on.

import type { AgentStreamEvent } from '@tailrace/core';
import { createOutputEvent, type EventMessage, type SessionInfo } from '@tailrace/protocol';
import { vi } from 'vitest';
import type { Clock } from '../src/clock.ts';

/** A clock that runs faster than the sun, so that waits of seconds take a moment. */
export function fastClock(times: number): Clock {
  const start = Date.now();
  return {
    now: () => start + (Date.now() - start) * times,
    after(ms, work) {
      const timer = setTimeout(work, ms / times);
      return () => clearTimeout(timer);
    },
  };
}

/** A clock that stands still until it is moved. */
export function handClock(): Clock & { readonly waits: readonly number[]; pass(ms: number): void } {
  let now = 0;
  const timers = new Set<{ readonly at: number; readonly work: () => void }>();
  return {
    now: () => now,
    after(ms, work) {
      const timer = { at: now + ms, work };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    get waits() {
      return [...timers].map(({ at }) => at - now);
    },
    pass(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        timers.delete(next);
        now = next.at;
        next.work();
      }
      now = end;
    },
  };
}

/** Waits for the thing itself. */
export function until(isSo: () => unknown, timeout = 60_000): Promise<void> {
  return vi.waitFor(
    async () => {
      if (!(await isSo())) throw new Error(`it did not become so: ${isSo}`);
    },
    { timeout, interval: 2 },
  );
}

/** Makes the page of a test one that came from this address. */
export function openPage(url: string): void {
  // What happy-dom adds to a window.
  (window as unknown as { readonly happyDOM: { setURL(url: string): void } }).happyDOM.setURL(url);
}

/** The same numbers for the same seed. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export function eventMessage(position: number, event: object, sessionId = 's'): EventMessage {
  return { type: 'event', sessionId, position, event: { seq: 0, ...event } as AgentStreamEvent };
}

/** Messages of one line, each with a name of its own. */
export function eventLine(position: number, count: number): readonly EventMessage[] {
  return Array.from({ length: count }, (_, index) =>
    eventMessage(position, { type: 'notice', severity: 'info', title: `${position}/${index}` }),
  );
}

export function outputLine(position: number, count: number): readonly ReturnType<typeof createOutputEvent>[] {
  return Array.from({ length: count }, (_, index) => createOutputEvent('o', 'r', `${position}/${index}`, 0));
}

export function sessionInfo(id: string, more: Partial<SessionInfo> = {}): SessionInfo {
  return {
    id,
    agent: 'claude',
    projectId: 'p',
    project: 'mill',
    cwd: '/mill',
    title: null,
    model: null,
    status: 'completed',
    startedAt: 1,
    endedAt: null,
    turns: 0,
    usage: { state: 'unknown' },
    costUsd: null,
    costState: 'unknown',
    starred: false,
    tags: [],
    lines: 1,
    lastText: null,
    files: 0,
    subagents: 0,
    live: null,
    ...more,
  };
}
