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
  /** How a session stands, without a word. */
  learn(session: SessionInfo): void;
  /** How it stands now: what that means, if anything. */
  see(session: SessionInfo): TurningPoint | undefined;
}

/** What began later than this was seen from its beginning, however short it was. */
export function createTurningPoints(since: number): TurningPoints {
  const known = new Map<string, State>();
  return {
    learn(session) {
      if (!known.has(session.id)) known.set(session.id, stateOf(session));
    },
    see(session) {
      const before = known.get(session.id) ?? ((session.startedAt ?? 0) > since ? 'running' : 'none');
      const now = stateOf(session);
      known.set(session.id, now);
      const kind = before === now ? undefined : kindOf(before, now);
      return kind && { session, kind };
    },
  };
}

function kindOf(before: State, now: State): TurningPoint['kind'] | undefined {
  if (now === 'waiting') return 'waits';
  // What rested was told to be done, and what nobody saw at work has nothing to be told of.
  if (before === 'idle' || before === 'none') return undefined;
  return now === 'idle' ? 'done' : now === 'none' ? 'ended' : undefined;
}

/** A run of a terminal waits there, not here. */
function stateOf({ live }: SessionInfo): State {
  if (!live || live.state === 'ended') return 'none';
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
