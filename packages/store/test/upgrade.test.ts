import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkStore } from '../src/sqlite/doctor/check.ts';
import { migrations } from '../src/sqlite/migrations/index.ts';
import { openConnection } from '../src/sqlite/open.ts';
import { createRecord } from '../src/sqlite/record.ts';
import { doneMigrations } from '../src/sqlite/version.ts';

// Made by the version that had only the first step. It is never made anew.
const OLD = fileURLToPath(new URL('old/0001.db', import.meta.url));

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tailrace-upgrade-'));
  file = join(folder, 'tailrace.db');
  copyFileSync(OLD, file);
  chmodSync(file, 0o600);
});

afterEach(() => rmSync(folder, { recursive: true }));

/** What was kept in the old file. */
function oldLine(stream: string, index: number): Uint8Array {
  if (stream !== 'run-1') return Buffer.alloc(index * 1000, index);
  if (index % 5 === 4) return Buffer.from([0, 255, 254, index, 10]);
  return Buffer.from(`{"type":"system","n":${index},"text":"${'zeile '.repeat(index % 9)}日本"}\n`);
}

test('an old file is brought up to date and keeps every byte', async () => {
  expect((await checkStore(file)).findings).toMatchObject([{ level: 'note', code: 'unavailable' }]);
  await expect(openConnection({ file, readOnly: true })).rejects.toMatchObject({ code: 'read-only' });
  const connection = await openConnection({ file });
  expect(doneMigrations(connection.raw)).toEqual(Object.keys(migrations));
  // What stands behind a long summary is slow to read.
  expect(connection.raw.prepare('SELECT name FROM pragma_table_info(?)').pluck().all('sessions').at(-1)).toBe(
    'summary',
  );
  const record = createRecord(connection);
  const streams = await record.streams();
  expect(streams.map(({ name, nextSeq }) => [name, nextSeq])).toEqual([
    ['run-1', 31],
    ['transcript:claude:/home/someone/a.jsonl', 11],
  ]);
  expect(streams[1]).toMatchObject({
    kind: 'transcript',
    path: '/home/someone/a.jsonl',
    about: { a: [1] },
    cursor: '{"offset":45000}',
  });
  for (const { name } of streams) {
    for await (const piece of record.read(name)) {
      for (const { seq, bytes } of piece) expect(Buffer.from(oldLine(name, seq - 1)).equals(bytes)).toBe(true);
    }
  }
  expect(await record.last()).toBe(40);
  await record.claim('run-1', { kind: 'run' });
  expect(await record.append('run-1', 31, [{ at: 1, source: 'host', bytes: new Uint8Array(3) }])).toBe(41);
  await record.close();
  connection.close();
  expect((await checkStore(file)).isGood).toBe(true);
});
