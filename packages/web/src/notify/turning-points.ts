// What is worth a word, of what the server tells about sessions: that one waits for the person, that it is done with what it was told,
// and that its run has ended.

import type { SessionInfo } from '@tailrace/protocol';
import { sessionName } from '../ui/session-name.ts';

export interface TurningPoint {
  readonly session: SessionInfo;
  readonly kind: 'waits' | 'done' | 'ended';
}

type State = 'waiting' | 'running' | 'idle' | 'none';

export interface TurningPoints {
  /** How a session stands in the list: without a word, unless it has come to that since. */
  learn(session: SessionInfo): TurningPoint | undefined;
  /** How it stands now: what that means, if anything. */
  see(session: SessionInfo): TurningPoint | undefined;
}

/** What began later than this was seen from its beginning, however short it was. */
export function createTurningPoints(since: number): TurningPoints {
  /** By session and by run: in the middle of its first moment a session gets another name, and its run does not. */
  const known = new Map<string, State>();

  function stoodAt(session: SessionInfo): State | undefined {
    return known.get(runOf(session)) ?? known.get(session.id);
  }

  function keep(session: SessionInfo): void {
    for (const name of [session.id, runOf(session)]) known.set(name, stateOf(session));
  }

  function see(session: SessionInfo): TurningPoint | undefined {
    // Something else about it has changed, before it was learnt how it stands.
    const isOld = session.live?.since !== undefined && session.live.since <= since;
    if (isOld && stoodAt(session) === undefined) {
      keep(session);
      return undefined;
    }
    const before = stoodAt(session) ?? ((session.startedAt ?? 0) > since ? 'running' : 'none');
    const now = stateOf(session);
    keep(session);
    const kind = before === now ? undefined : kindOf(before, now);
    return kind && { session, kind };
  }

  return {
    learn(session) {
      // What was heard is newer.
      if (stoodAt(session) !== undefined) return undefined;
      if ((session.live?.since ?? session.startedAt ?? 0) > since) return see(session);
      keep(session);
      return undefined;
    },
    see,
  };
}

/** What goes on in it, whatever it is called; the session itself where nothing does. */
export function runOf({ id, live }: SessionInfo): string {
  return live?.runId ?? id;
}

function kindOf(before: State, now: State): TurningPoint['kind'] | undefined {
  if (now === 'waiting') return 'waits';
  // What rested was told to be done, and what nobody saw at work has nothing to be told of.
  if (before === 'idle' || before === 'none') return undefined;
  return now === 'idle' ? 'done' : now === 'none' ? 'ended' : undefined;
}

/** A run of a terminal waits there, not here. A session may be listed a moment before its run is known to be its own. */
function stateOf({ live, status }: SessionInfo): State {
  if (!live) return status === 'running' ? 'running' : 'none';
  if (live.state === 'ended') return 'none';
  if (live.state === 'idle') return 'idle';
  return live.state === 'waiting' && live.isOurs ? 'waiting' : 'running';
}

/** The same, for people. */
export function wordsOf({ session, kind }: TurningPoint): { readonly title: string; readonly text: string } {
  const title = sessionName(session.id, session.title);
  const where = session.project === null ? '' : `${session.project}: `;
  return { title: `${where}${title}`, text: textOf(kind, session) };
}

function textOf(kind: TurningPoint['kind'], { status }: SessionInfo): string {
  if (kind === 'waits') return 'It waits for your answer.';
  if (status === 'error') return 'It failed.';
  if (kind === 'done') return 'It is done.';
  if (status === 'success') return 'It ended well.';
  return status === 'cancelled' ? 'It was stopped.' : 'It has ended.';
}
