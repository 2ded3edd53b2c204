// What is told of sessions beside what their lines tell: that one is over for now, that what was told of it is no longer so, that it is
// gone. It stands in one order with the lines: behind the last line of its pass, in small steps.

import type { Connection } from '../connection.ts';

/** To be called in the transactions of one pass. */
export interface Tellings {
  /** Nobody writes to it any more, for now. */
  ended(session: string): void;
  goesOn(session: string): void;
  /** Other events stand where some stood that were told. */
  retold(session: string): void;
  /** It is no session any more; `movedTo`: what was its is that one's. */
  gone(session: string, movedTo: string | undefined): void;
  /** The place of everything that was told in this pass. */
  end(): number;
}

/** Small enough for 65,535 passes without a line between them, and exact up to 2^37 lines. */
const STEP: number = 2 ** -16;

/** `from`: everything up to here is told. */
export function createTellings({ raw }: Connection, from: number): Tellings {
  const put = raw.prepare('INSERT OR REPLACE INTO tellings (session, kind, told, moved_to) VALUES (?, ?, ?, ?)');
  const drop = raw.prepare('DELETE FROM tellings WHERE session = ? AND kind = ?');
  // A step that would reach the next line is not taken.
  const next = Math.floor(from + STEP) > Math.floor(from) ? from : from + STEP;
  let end = from;

  function tell(session: string, kind: string, movedTo: string | null = null): void {
    put.run(session, kind, next, movedTo);
    end = next;
  }

  return {
    ended(session) {
      drop.run(session, 'gone');
      tell(session, 'ended');
    },
    goesOn(session) {
      drop.run(session, 'gone');
      drop.run(session, 'ended');
    },
    retold: (session) => tell(session, 'retold'),
    gone(session, movedTo) {
      drop.run(session, 'ended');
      drop.run(session, 'retold');
      tell(session, 'gone', movedTo ?? null);
    },
    end: () => end,
  };
}

/** In the transaction that forgets the session. */
export function forgetTellings({ raw }: Connection, session: string): void {
  raw.prepare('DELETE FROM tellings WHERE session = ? OR moved_to = ?').run(session, session);
}
