// Which run and which session is meant by an id. Apps keep ids of sessions as keys, so each is a UUID; the letter case of one
// means nothing, but an agent gets its own as it wrote it.

import { createHash } from 'node:crypto';
import { sessionUuid } from '@tailrace/protocol';
import { TailraceError } from '@tailrace/runner';

/** A session as its agent knows it. */
interface OwnSession {
  readonly agent: string;
  readonly id: string;
}

export interface Ids {
  /** Notes a run. Throws when a run or a session has had that id. */
  begin(runId: string): void;
  /** A run has told its session: gives the id by which windows know that. */
  tell(runId: string, session: OwnSession): string;
  /** The session that is meant by its id, or by that of a run in it; undefined while that run has told none. */
  sessionOf(id: string): string | undefined;
  /** What was told by this id; undefined when nothing was. */
  find(told: string): OwnSession | undefined;
  /** What the agent is to be asked for. Throws when nobody knows that any more. */
  ownOf(told: string): string;
}

export function createIds(): Ids {
  /** By id of the run: the session that it has told last. */
  const runs = new Map<string, string | undefined>();
  /** By the id that windows know. */
  const sessions = new Map<string, OwnSession>();
  return {
    begin(runId) {
      const key = keyOf(runId);
      if (runs.has(key) || sessions.has(key)) throw isTaken(runId);
      runs.set(key, undefined);
    },
    tell(runId, session) {
      const told = toldId(session);
      runs.set(keyOf(runId), told);
      sessions.set(keyOf(told), session);
      return told;
    },
    sessionOf: (id) => (runs.has(keyOf(id)) ? runs.get(keyOf(id)) : id),
    find: (told) => sessions.get(keyOf(told)),
    ownOf(told) {
      const known = sessions.get(keyOf(told));
      if (known) return known.id;
      if (!keyOf(told).startsWith(MADE)) return told;
      throw new TailraceError(
        'no-session',
        `session ${told} is from before the app was started, and its agent knows it by another id: it cannot be gone on with`,
      );
    },
  };
}

export function isSameId(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other);
}

/** For maps and sets of ids. */
export function keyOf(id: string): string {
  return id.toLowerCase();
}

export function isTaken(runId: string): TailraceError {
  return new TailraceError('taken', `the id ${runId} was used before: a new run needs one of its own`);
}

/** The id by which windows hear of a session: its own where that is a UUID, else one that is made of it. */
export function toldId(session: OwnSession): string {
  return sessionUuid.safeParse(session.id).success ? session.id : made(session);
}

/** "tailrc": by it one of ours is known, also in a later start of the app. */
const MADE = '7461696c-7263-8';

/** Always the same UUID for the same session, of the version that is for uses of one's own (RFC 9562, section 5.8). */
function made({ agent, id }: OwnSession): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([agent, id]))
    .digest('hex');
  const variant = '89ab'.charAt(Number.parseInt(hash.charAt(3), 16) % 4);
  return `${MADE}${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
}
