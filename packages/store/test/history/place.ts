// A store in a folder of its own for one test.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { History, Metadata, NewLine, StreamFacts } from '../../src/contract.ts';
import type { Connection } from '../../src/sqlite/connection.ts';
import { settleEpoch } from '../../src/sqlite/epoch.ts';
import { createHistory, type HistoryOptions } from '../../src/sqlite/history/history.ts';
import { createMetadata } from '../../src/sqlite/history/metadata.ts';
import { openConnection } from '../../src/sqlite/open.ts';
import { createRecord, type SqliteRecord } from '../../src/sqlite/record.ts';

export interface Opened {
  readonly connection: Connection;
  readonly record: SqliteRecord;
  readonly history: History;
  readonly metadata: Metadata;
  close(): Promise<void>;
}

export interface Place {
  readonly file: string;
  open(options?: HistoryOptions): Promise<Opened>;
  remove(): Promise<void>;
}

function makePlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-history-'));
  const file = join(folder, 'tailrace.db');
  const opened: Opened[] = [];
  return {
    file,
    async open(options) {
      const connection = await openConnection({ file });
      await settleEpoch(connection);
      const record = createRecord(connection);
      const one: Opened = {
        connection,
        record,
        history: createHistory(connection, options),
        metadata: createMetadata(connection, options),
        async close() {
          if (!connection.raw.open) return;
          await record.close();
          connection.close();
        },
      };
      opened.push(one);
      return one;
    },
    async remove() {
      for (const one of opened) await one.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Gives a test its store, and takes it away. */
export async function inPlace(work: (place: Place) => Promise<void>): Promise<void> {
  const place = makePlace();
  try {
    await work(place);
  } finally {
    await place.remove();
  }
}

/** Adds lines to a stream that nobody writes to, and lets it go. */
export async function append(
  { record }: Pick<Opened, 'record'>,
  name: string,
  facts: StreamFacts,
  lines: readonly NewLine[],
): Promise<void> {
  const lease = await record.claim(name, facts);
  await record.append(name, lease.stream.nextSeq, lines);
  await lease.release();
}

/** Objects as lines. */
export function toLines(source: NewLine['source'], ...values: readonly unknown[]): readonly NewLine[] {
  return values.map((value, index) => ({
    at: 1_794_800_000_000 + index,
    source,
    bytes: Buffer.from(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`),
  }));
}

/** A session's file with one prompt for each text, a second apart. */
export function promptLines(sessionId: string, texts: readonly string[]): readonly NewLine[] {
  return toLines(
    'transcript',
    ...texts.map((content, index) => ({
      type: 'user',
      uuid: `${sessionId}-${index}`,
      sessionId,
      timestamp: new Date(1_794_700_000_000 + index * 1000).toISOString(),
      cwd: '/home/dev/project',
      message: { role: 'user', content },
    })),
  );
}
