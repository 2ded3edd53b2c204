// Forgetting: the lines of a session and everything made of them, in one commit, and nothing of it left in the file.

import { setTimeout as wait } from 'node:timers/promises';
import { StoreError } from '../errors.ts';
import { WRITE_RETRY_MS } from '../limits.ts';
import type { Connection } from './connection.ts';
import { beginEpoch } from './epoch.ts';
import { noteForgotten } from './forgotten.ts';
import { isLiving, type Processes } from './holder.ts';
import { holderOf, ofSession, type StreamRow } from './stream-row.ts';
import { write } from './transaction.ts';

export interface ForgetOptions {
  readonly processes: Processes;
  readonly now: () => number;
  /** Takes out what was made of the lines; it is called inside the transaction and must not wait. */
  readonly forgetHistory: (sessionId: string) => void;
  /** Takes what is left of it out of the file. */
  readonly scrub: () => Promise<void>;
}

/** Takes a session out. Fails as `busy` while a living process writes to one of its streams. */
export async function forgetSession(
  connection: Connection,
  sessionId: string,
  { processes, now, forgetHistory, scrub }: ForgetOptions,
): Promise<{ readonly lines: number; readonly streams: number }> {
  const { raw } = connection;
  const find = raw.prepare<[string, string], StreamRow>(`SELECT * FROM streams WHERE ${ofSession}`);
  const dead = await deadHolders(find.all(sessionId, sessionId), processes, now());
  const result = await write(connection, () => {
    const streams = find.all(sessionId, sessionId);
    // Somebody may have begun to write since the processes were looked at.
    const written = streams.find((row) => row.lease_token !== null && !dead.has(row.lease_token));
    if (written !== undefined) throw stillWritten(sessionId, written);
    let lines = 0;
    for (const stream of streams) lines += forgetStream(connection, stream);
    const ids = [sessionId, ...streams.map((stream) => stream.session_id)].filter((id) => id !== null);
    for (const id of ids) noteForgotten(connection, id, now());
    forgetHistory(sessionId);
    beginEpoch(connection);
    return { lines, streams: streams.length };
  });
  await scrub();
  await cutLog(connection);
  return result;
}

async function deadHolders(
  streams: readonly StreamRow[],
  processes: Processes,
  now: number,
): Promise<ReadonlySet<string>> {
  const dead = new Set<string>();
  for (const stream of streams) {
    const holder = holderOf(stream);
    if (holder !== undefined && !(await isLiving(holder, processes, now))) dead.add(holder.token);
  }
  return dead;
}

function stillWritten(sessionId: string, { lease_pid: pid }: StreamRow): StoreError {
  return new StoreError('busy', `The session ${sessionId} is being written by process ${pid}. Stop it first.`);
}

function forgetStream({ raw }: Connection, { id }: StreamRow): number {
  const { changes } = raw.prepare('DELETE FROM lines WHERE stream = ?').run(id);
  raw.prepare('DELETE FROM streams WHERE id = ?').run(id);
  return changes;
}

/**
 * Moves everything from the -wal file to the database and cuts it to nothing: what was forgotten would be found in it. While
 * others read, that cannot be done; then the next commits overwrite it, and at the latest the last one to close cuts it.
 */
export async function cutLog({ raw }: Connection, tries = 50): Promise<boolean> {
  for (let left = tries; left > 0; left--) {
    const [state] = raw.pragma('wal_checkpoint(TRUNCATE)') as readonly { busy: number }[];
    if (state?.busy === 0) return true;
    await wait(WRITE_RETRY_MS);
  }
  return false;
}
