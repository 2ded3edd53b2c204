// One process at a time brings the history up to date. The turn is lost with the process; whoever was taken for dead and is not
// finds another name in the row before it writes anything.

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { StoreError } from '../../errors.ts';
import type { Connection } from '../connection.ts';
import { type Holder, isLiving, ourselves, type Processes } from '../holder.ts';
import { write } from '../transaction.ts';

/** A turn is of a living process, as a lease is. */
const NOT_DURABLE = { isDurable: false } as const;

export interface Turns {
  /** Takes the turn, waiting for another while `isWanted`; nothing when it is not to be had. */
  take(options: TurnOptions): Promise<Turn | undefined>;
}

interface TurnOptions {
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Asked now and then while somebody else is at it: there may be nothing left to do. */
  readonly isWanted: () => boolean;
}

export interface Turn {
  /** Nobody else was at it since our last turn: what is in memory still holds. */
  readonly isOurs: boolean;
  /** Fails when somebody else has taken it. To be called in each transaction. */
  check(): void;
  release(): Promise<void>;
}

const PAUSE_MS = 25;

interface TurnRow {
  readonly token: string | null;
  readonly turn_token: string | null;
  readonly turn_pid: number | null;
  readonly turn_start: string | null;
  readonly turn_place: string | null;
  readonly turn_at: number | null;
}

/** Turns that connections of this process have: one that was closed in the middle has left its own behind. */
const held = new Set<string>();

export function createTurns(connection: Connection, processes: Processes, now: () => number): Turns {
  const { raw } = connection;
  const us = randomUUID();
  const read = raw.prepare<[], TurnRow>(
    'SELECT token, turn_token, turn_pid, turn_start, turn_place, turn_at FROM projection WHERE id = 1',
  );
  const put = raw.prepare(
    `UPDATE projection SET token = :us, turn_token = :token, turn_pid = :pid, turn_start = :start, turn_place = :place,
       turn_at = :at WHERE id = 1`,
  );
  const giveBack = raw.prepare(
    `UPDATE projection SET turn_token = NULL, turn_pid = NULL, turn_start = NULL, turn_place = NULL, turn_at = NULL
     WHERE id = 1 AND turn_token = ?`,
  );

  const touch = raw.prepare('UPDATE projection SET turn_at = ? WHERE id = 1 AND turn_token = ?');

  async function tryToTake(): Promise<Turn | undefined> {
    const token = randomUUID();
    const holder = await ourselves(processes, now());
    let dead: string | undefined;
    for (;;) {
      const before = await write(
        connection,
        () => {
          const row = read.get();
          const isFree = !row?.turn_token || row.turn_token === dead;
          if (isFree) put.run({ us, token, ...holder });
          return { row, isFree };
        },
        NOT_DURABLE,
      );
      if (before.isFree) {
        held.add(token);
        return turnOf(token, before.row?.token === us);
      }
      if (!before.row?.turn_token || (await isHeld(before.row))) return undefined;
      dead = before.row.turn_token;
    }
  }

  async function isHeld(row: TurnRow): Promise<boolean> {
    if (held.has(row.turn_token ?? '')) return true;
    const holder: Holder = {
      pid: row.turn_pid ?? 0,
      start: row.turn_start ?? '',
      place: row.turn_place ?? '',
      at: row.turn_at ?? 0,
    };
    const isOwn = holder.pid === process.pid && holder.place === processes.place;
    return !isOwn && (await isLiving(holder, processes, now()));
  }

  function turnOf(token: string, isOurs: boolean): Turn {
    return {
      isOurs,
      check() {
        if (touch.run(now(), token).changes === 0)
          throw new StoreError('busy', 'Another process has taken over to bring the history up to date.');
      },
      async release() {
        held.delete(token);
        if (raw.open) await write(connection, () => giveBack.run(token), NOT_DURABLE);
      },
    };
  }

  return {
    async take({ waitMs, signal, isWanted }) {
      const until = performance.now() + waitMs;
      for (;;) {
        const turn = await tryToTake();
        if (turn) return turn;
        if (signal?.aborted || performance.now() >= until || !isWanted()) return undefined;
        await wait(PAUSE_MS, undefined, { signal }).catch(() => {});
      }
    },
  };
}
