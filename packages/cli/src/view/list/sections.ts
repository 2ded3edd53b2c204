// The sessions in the order in which a person needs them: what waits, what works, what was.

import { isAtWork } from '@tailrace/client/timeline';
import type { SessionInfo } from '@tailrace/protocol';

export type Section = 'waiting' | 'working' | 'earlier';

export interface Listed {
  readonly session: SessionInfo;
  readonly section: Section;
  /** It is the first of its section. */
  readonly isFirst: boolean;
  /** And of all. */
  readonly isTop: boolean;
  /** How many there are in it. */
  readonly count: number;
}

const ORDER: readonly Section[] = ['waiting', 'working', 'earlier'];

function sectionOf(session: SessionInfo): Section {
  if (session.live?.state === 'waiting') return 'waiting';
  return isAtWork(session) ? 'working' : 'earlier';
}

/** Those that have each of the words, by section; within one they keep their places. */
export function arrange(sessions: readonly SessionInfo[], words: string): readonly Listed[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = sessions.filter((session) => {
    const text = textOf(session);
    return wanted.every((word) => text.includes(word));
  });
  const listed = ORDER.flatMap((section) => {
    const own = found.filter((session) => sectionOf(session) === section);
    return own.map((session, index) => ({ session, section, isFirst: index === 0, count: own.length }));
  });
  return listed.map((one, index) => ({ ...one, isTop: index === 0 }));
}

function textOf({ title, project, model, lastText, agent }: SessionInfo): string {
  return [title, project, model, lastText, agent]
    .filter((one) => one !== null)
    .join(' ')
    .toLowerCase();
}
