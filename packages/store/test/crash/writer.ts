// Writes lines and says after each acknowledgement how far it is. Whatever happens to it, it tries again.
// node writer.mjs FOLDER OPTIONS

import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StoreError } from '../../src/errors.ts';
import type { Connection } from '../../src/sqlite/connection.ts';
import { openConnection } from '../../src/sqlite/open.ts';
import { createRecord, type SqliteRecord } from '../../src/sqlite/record.ts';
import { linesOf } from './lines.ts';

/** What a writer is told. */
export interface WriterOptions {
  readonly streams: number;
  /** What their names begin with. */
  readonly name?: string | undefined;
  /** Lines for each stream, and in each call. */
  readonly lines: number;
  readonly batch: number;
  readonly synchronous?: 'FULL' | 'NORMAL' | undefined;
  /** How often pages move from the log to the database: in pages. */
  readonly checkpoint?: number | undefined;
}

const [folder = '', text = ''] = process.argv.slice(2);
const options: WriterOptions = JSON.parse(text);
const acks = openSync(join(folder, 'writer.acks'), 'a');
const say = (line: string): void => void writeSync(acks, `${line}\n`);

const { connection, record } = await tryUntilDone(async () => open());
const names = Array.from({ length: options.streams }, (_, index) => `${options.name ?? 'stream'}-${index + 1}`);
await Promise.all(names.map(write));
await record.close().catch(tell);
connection.close();
say('done');

async function open(): Promise<{ connection: Connection; record: SqliteRecord }> {
  const connection = await openConnection({ file: join(folder, 'tailrace.db'), synchronous: options.synchronous });
  if (options.checkpoint !== undefined) connection.raw.pragma(`wal_autocheckpoint = ${options.checkpoint}`);
  return { connection, record: createRecord(connection) };
}

async function write(name: string): Promise<void> {
  const { stream, release } = await tryUntilDone(() => record.claim(name, { kind: 'run' }));
  const end = stream.nextSeq + options.lines;
  for (let seq = stream.nextSeq; seq < end; seq += options.batch) {
    const lines = linesOf(name, seq, options.batch);
    await tryUntilDone(() => record.append(name, seq, lines, { cursor: String(seq + options.batch) }));
    say(`${name} ${seq + options.batch - 1}`);
  }
  await tryUntilDone(release);
}

/** A call that failed may be made again, as often as need be. */
async function tryUntilDone<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      tell(error);
      await wait(1);
    }
  }
}

function tell(error: unknown): void {
  say(`error ${error instanceof StoreError ? error.code : String(error)}`);
}
