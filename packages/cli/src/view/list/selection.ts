// Which session of the list is chosen. It is a session and not a place: whatever comes, goes and moves around it, it stays chosen.

import type { SessionInfo } from '@tailrace/protocol';

type Named = Pick<SessionInfo, 'id' | 'live'>;

export interface Selection {
  readonly id: string;
  /** A run is listed by a name of its own until its agent tells the session's. */
  readonly runId: string;
  /** The run of one that was chosen and has gone: it may come back by another name. */
  readonly lostRun?: string;
  /** All that was listed, in its order: where the chosen one goes, what was nearest to it stays. */
  readonly order: readonly string[];
}

/** The session at a place is chosen; none where there is none. */
export function selectAt(sessions: readonly Named[], at: number): Selection | undefined {
  const one = sessions[at];
  return one && { id: one.id, runId: runOf(one), order: sessions.map(({ id }) => id) };
}

/** What is chosen of what became of the list. An empty one is on its way, and changes nothing. */
export function keepSelection(before: Selection | undefined, sessions: readonly Named[]): Selection | undefined {
  if (before === undefined) return selectAt(sessions, 0);
  if (sessions.length === 0) return before;
  const back = before.lostRun === undefined ? -1 : sessions.findIndex((one) => runOf(one) === before.lostRun);
  if (back >= 0) return selectAt(sessions, back);
  const own = placeOf(sessions, before.id);
  const at = own >= 0 ? own : sessions.findIndex((one) => runOf(one) === before.runId);
  if (at >= 0) return kept(selectAt(sessions, at), before.lostRun);
  return kept(selectAt(sessions, nearest(before, sessions)), before.lostRun ?? before.runId);
}

/** Where a session stands; less than nothing where it does not. */
export function placeOf(sessions: readonly Named[], sessionId: string | undefined): number {
  return sessions.findIndex(({ id }) => id === sessionId);
}

function kept(selection: Selection | undefined, lostRun: string | undefined): Selection | undefined {
  return selection && lostRun !== undefined ? { ...selection, lostRun } : selection;
}

function runOf({ id, live }: Named): string {
  return live?.runId ?? id;
}

/** The next one below that is still there, else the next one above. */
function nearest({ id, order }: Selection, sessions: readonly Named[]): number {
  const from = order.indexOf(id);
  const places = new Map(sessions.map((one, at) => [one.id, at]));
  const left = [...order.slice(from + 1), ...order.slice(0, Math.max(0, from)).reverse()];
  return places.get(left.find((one) => places.has(one)) ?? '') ?? 0;
}
