// What the runs of other programs are doing, as far as their lines tell it.

import type { AgentStreamEvent } from '@tailrace/core';
import type { LiveRun } from '@tailrace/protocol';
import type { Told } from '@tailrace/store';
import { createRunProgress, type RunProgressFold } from '../control/run-progress.ts';

export interface OtherRuns {
  hear(told: Told): Promise<void>;
  /** A session that somebody writes to: what it told before a place, where nobody listened, is looked through for its run. */
  learn(sessionId: string, before: number): Promise<void>;
  /** Nobody listens any more: what comes of them is not heard. */
  forget(): void;
  /** The run that a session has at the moment, if anything was heard of it. */
  of(sessionId: string): LiveRun | undefined;
}

interface OtherRun {
  readonly fold: RunProgressFold;
  facts: Omit<LiveRun, 'progress' | 'subagents'>;
}

/** `past`: what a session tells before a place, from its beginning. */
export function createOtherRuns(
  past: (sessionId: string, before: number) => AsyncIterable<readonly AgentStreamEvent[]>,
): OtherRuns {
  const runs = new Map<string, OtherRun>();

  function take(sessionId: string, event: AgentStreamEvent): void {
    if (event.type === 'run-start') {
      const since = event.at ?? 0;
      const facts = { runId: event.runId, state: 'starting', since, isOurs: false, waiting: 0 } as const;
      runs.set(sessionId, { fold: createRunProgress(), facts });
    }
    const run = runs.get(sessionId);
    if (!run) return;
    run.fold.add(event);
    if (event.type !== 'run-state') return;
    const { state } = event;
    if (state === 'ended') runs.delete(sessionId);
    // It waits in its own terminal.
    else run.facts = { ...run.facts, state, since: event.at ?? 0, waiting: state === 'waiting' ? 1 : 0 };
  }

  async function learn(sessionId: string, before: number): Promise<void> {
    runs.delete(sessionId);
    for await (const events of past(sessionId, before)) for (const event of events) take(sessionId, event);
  }

  return {
    learn,
    forget: () => runs.clear(),
    of(sessionId) {
      const run = runs.get(sessionId);
      return run && { ...run.facts, progress: run.fold.progress(), subagents: run.fold.subagents };
    },
    async hear(told) {
      const { sessionId } = told;
      if (told.kind === 'line') {
        for (const event of told.events) take(sessionId, event);
        return;
      }
      const isKnown = runs.delete(sessionId);
      // The run goes on, in a session that has another id or other events than before: an agent may name its session late.
      const now = told.kind === 'gone' ? told.movedTo : told.kind === 'retold' ? sessionId : null;
      if (isKnown && now !== null) await learn(now, Number.POSITIVE_INFINITY);
    },
  };
}
