// The right to write to a stream: one process at a time, until it gives it back or dies.

import { randomUUID } from 'node:crypto';
import type { StoredStream, StreamFacts } from '../contract.ts';
import { StoreError } from '../errors.ts';
import type { Connection } from './connection.ts';
import { remember } from './forgotten.ts';
import { type Holder, isLiving, ourselves, type Processes } from './holder.ts';
import { factColumns, holderOf, type StreamRow, toStream } from './stream-row.ts';
import { write } from './transaction.ts';

/** A lease that this process has. */
export interface OwnLease {
  readonly id: number;
  readonly token: string;
  readonly stream: StoredStream;
}

export interface Leases {
  claim(name: string, facts: StreamFacts): Promise<OwnLease>;
  release(lease: OwnLease): Promise<void>;
}

/** Leases on the streams of a database. */
export function createLeases(connection: Connection, processes: Processes, now: () => number): Leases {
  const { raw } = connection;
  const find = raw.prepare<[string], StreamRow>('SELECT * FROM streams WHERE name = ?');
  const insert = raw.prepare(
    'INSERT INTO streams (name, kind, agent, session_id, path, about) VALUES (:name, :kind, :agent, :session_id, :path, :about)',
  );
  // What was told before stays where nothing is told now.
  const take = raw.prepare(
    `UPDATE streams SET kind = :kind, agent = coalesce(:agent, agent), session_id = coalesce(:session_id, session_id),
       path = coalesce(:path, path), about = coalesce(:about, about),
       lease_token = :token, lease_pid = :pid, lease_start = :start, lease_place = :place, lease_at = :at
     WHERE name = :name`,
  );
  const giveBack = raw.prepare(
    `UPDATE streams SET lease_token = NULL, lease_pid = NULL, lease_start = NULL, lease_place = NULL, lease_at = NULL
     WHERE id = ? AND lease_token = ?`,
  );

  return { claim, release };

  async function claim(name: string, facts: StreamFacts): Promise<OwnLease> {
    const token = randomUUID();
    const us = await ourselves(processes, now());
    let dead: string | undefined;
    for (;;) {
      // A lease is of a living process: nobody has one after a power cut.
      const result = await write(connection, () => tryToTake(name, facts, us, token, dead), { isDurable: false });
      if ('lease' in result) return result.lease;
      // Looking at a process may take a while, so it is done outside of the transaction; the next try sees whether the lease is
      // still the one that was looked at.
      if (await isLiving(result.holder, processes, now())) {
        const who = result.holder.pid === process.pid ? 'this process' : `process ${result.holder.pid}`;
        throw new StoreError('busy', `The stream ${name} is being written by ${who}.`);
      }
      dead = result.holder.token;
    }
  }

  function tryToTake(
    name: string,
    facts: StreamFacts,
    us: Holder,
    token: string,
    dead: string | undefined,
  ): { lease: OwnLease } | { holder: Holder & { token: string } } {
    const columns = factColumns(facts);
    const before = find.get(name);
    const holder = before && holderOf(before);
    if (holder !== undefined && holder.token !== dead) return { holder };
    if (before === undefined) insert.run({ name, ...columns });
    // Who takes up the agent's file of a session that was forgotten was told to.
    if (facts.kind === 'transcript' && facts.sessionId !== undefined) remember(connection, facts.sessionId);
    take.run({ name, ...columns, ...us, token });
    const row = find.get(name);
    if (row === undefined) throw new StoreError('not-found', `The stream ${name} is gone.`);
    return { lease: { id: row.id, token, stream: toStream(row) } };
  }

  async function release(lease: OwnLease): Promise<void> {
    await write(connection, () => giveBack.run(lease.id, lease.token), { isDurable: false });
  }
}
