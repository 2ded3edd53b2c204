// What is kept of a session, as going back in it needs it. The store and the runner do not know each other.

import type { AgentStreamEvent } from '@tailrace/core';
import { createChanges, type RewindOptions } from '@tailrace/runner';
import type { Store } from '@tailrace/store';
import { ProblemError } from '../problem-error.ts';

/** A part of what the runner asks for, and the agent by its name. */
export interface KeptForRewind extends Pick<RewindOptions, 'sessionId' | 'cwd' | 'checkpoint' | 'changes'> {
  readonly agent: string;
}

/** Rejects with a `ProblemError`: `not-found`, or `conflict` for a session that goes on. */
export async function readRewind(
  { history }: Pick<Store, 'history'>,
  { sessionId, checkpoint }: { readonly sessionId: string; readonly checkpoint: string },
): Promise<KeptForRewind> {
  const { agent, cwd, status } = await sessionOf(history, sessionId);
  const changes = createChanges(checkpoint);
  const runs = createRunWatch();
  for await (const pieces of history.events(sessionId))
    for (const { events } of pieces)
      for (const event of events) {
        changes.add(event);
        runs.add(event);
      }
  if (status === 'running' && !runs.isOver())
    throw new ProblemError('conflict', `session ${sessionId} is still being written: end its run first`);
  return { agent, sessionId, cwd, checkpoint, changes: changes.changes() };
}

/** The same for whoever only goes on from there: a session that goes on may be copied, and what was changed is of no interest. */
export async function readBefore(
  { history }: Pick<Store, 'history'>,
  { sessionId, checkpoint }: { readonly sessionId: string; readonly checkpoint: string },
): Promise<KeptForRewind> {
  const { agent, cwd } = await sessionOf(history, sessionId);
  return { agent, sessionId, cwd, checkpoint, changes: createChanges(checkpoint).changes() };
}

async function sessionOf(
  history: Store['history'],
  sessionId: string,
): Promise<{ readonly agent: string; readonly cwd: string; readonly status: string }> {
  const session = await history.session(sessionId);
  if (!session) throw new ProblemError('not-found', `there is no session ${sessionId}`);
  const { agent, cwd, status } = session;
  if (cwd === null) throw new ProblemError('conflict', `nobody knows in which folder session ${sessionId} was begun`);
  return { agent, cwd, status };
}

/** Whoever takes in the agent's file has it for a while after the run: that alone does not make the session go on. */
function createRunWatch(): { add(event: AgentStreamEvent): void; isOver(): boolean } {
  const open = new Set<string | undefined>();
  let endedAt: number | undefined;
  let latest = Number.NEGATIVE_INFINITY;

  return {
    add(event) {
      if (event.time !== undefined && event.time > latest) latest = event.time;
      if (event.type === 'run-start') open.add(event.from);
      if (event.type !== 'run-state' || event.state !== 'ended') return;
      open.delete(event.from);
      endedAt = Math.max(endedAt ?? 0, event.at ?? 0);
    },
    // Somebody who has gone on with it elsewhere has done so later.
    isOver: () => open.size === 0 && endedAt !== undefined && endedAt >= latest,
  };
}
