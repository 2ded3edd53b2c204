// The epoch: a name for the state of affairs in which positions mean something.

import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { StoreError } from '../errors.ts';
import type { Connection } from './connection.ts';
import { write } from './transaction.ts';

/** What the store tells as its epoch. */
export function readEpoch({ raw, file }: Connection): string {
  const epoch = raw.prepare("SELECT value FROM meta WHERE key = 'epoch'").pluck().get();
  if (typeof epoch !== 'string') throw new StoreError('corrupt', `The store ${file} has no epoch.`);
  return epoch;
}

/** Begins a new epoch, inside a transaction that is open: what was told before is no longer so. */
export function beginEpoch(connection: Connection): void {
  setMeta(connection, 'epoch', randomUUID());
}

/** Begins the first epoch of a new file, and another one in a file that was put here from elsewhere: it may be an older state. */
export async function settleEpoch(connection: Connection): Promise<void> {
  const inode = String(statSync(connection.file, { bigint: true }).ino);
  if (getMeta(connection, 'inode') === inode) return;
  await write(connection, () => {
    // Another process may have been first.
    if (getMeta(connection, 'inode') === inode) return;
    beginEpoch(connection);
    setMeta(connection, 'inode', inode);
    if (getMeta(connection, 'created') === undefined) setMeta(connection, 'created', new Date().toISOString());
  });
}

function getMeta({ raw }: Connection, key: string): unknown {
  return raw.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(key);
}

function setMeta({ raw }: Connection, key: string, value: string): void {
  raw
    .prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
    .run(key, value);
}
