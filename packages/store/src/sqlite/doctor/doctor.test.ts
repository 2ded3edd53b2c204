import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NewLine } from '../../contract.ts';
import type { Connection } from '../connection.ts';
import { readEpoch, settleEpoch } from '../epoch.ts';
import { openConnection } from '../open.ts';
import { createRecord } from '../record.ts';
import { checkStore } from './check.ts';
import { repairStore } from './repair.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tailrace-doctor-'));
  file = join(folder, 'tailrace.db');
});

afterEach(() => rmSync(folder, { recursive: true }));

const STREAMS = ['run-1', 'file-2', 'file-3'];
const LINES = 400;

/** Small lines and some that fill many pages; each says what it is. */
function lineOf(stream: string, seq: number): NewLine {
  const size = seq % 50 === 0 ? 60_000 : seq % 7 === 0 ? 3000 : 80;
  return {
    at: 1000 + seq,
    source: 'transcript',
    bytes: new Uint8Array(Buffer.from(`${stream} ${seq} `.padEnd(size, `${seq}.`))),
  };
}

async function fill(use?: (connection: Connection) => void | Promise<void>): Promise<string> {
  const connection = await openConnection({ file });
  await settleEpoch(connection);
  const record = createRecord(connection);
  for (const stream of STREAMS)
    await record.claim(stream, { kind: stream === 'run-1' ? 'run' : 'transcript', sessionId: `s-${stream}` });
  for (let seq = 1; seq <= LINES; seq += 20) {
    for (const stream of STREAMS) {
      const lines = Array.from({ length: 20 }, (_, index) => lineOf(stream, seq + index));
      await record.append(stream, seq, lines, stream === 'run-1' ? {} : { cursor: `${seq + 20}` });
    }
  }
  connection.raw.prepare("INSERT INTO labels (session_id, name, starred) VALUES ('s-run-1', 'my name', 1)").run();
  await use?.(connection);
  await record.close();
  const epoch = readEpoch(connection);
  connection.close();
  return epoch;
}

/** What is in the store now; fails when a line is not the one that was kept. */
async function look(): Promise<{ saved: Map<string, number[]>; epoch: string; labels: unknown[] }> {
  const connection = await openConnection({ file });
  const record = createRecord(connection);
  const saved = new Map<string, number[]>();
  for (const { name } of await record.streams()) {
    const origin = name.split(' (')[0] ?? '';
    const seqs: number[] = [];
    for await (const piece of record.read(name)) {
      for (const { seq, at, source, bytes } of piece) {
        const expected = lineOf(origin, seq);
        if (!name.startsWith('saved-') && !Buffer.from(expected.bytes).equals(bytes))
          throw new Error(`${name} ${seq} is another line`);
        if (at !== expected.at || source !== expected.source) throw new Error(`${name} ${seq} came otherwise`);
        seqs.push(seq);
      }
    }
    saved.set(name, seqs);
  }
  const labels = connection.raw.prepare('SELECT * FROM labels').all();
  expect(connection.raw.pragma('integrity_check', { simple: true })).toBe('ok');
  const epoch = readEpoch(connection);
  connection.close();
  return { saved, epoch, labels };
}

function overwrite(offset: number, length: number, path = file): void {
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, Buffer.alloc(length, 0xa5), 0, length, offset);
  closeSync(descriptor);
}

async function pagesOf(table: string, type: string): Promise<number[]> {
  const { raw, close } = await openConnection({ file });
  const pages = raw
    .prepare<[string, string], number>('SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ?')
    .pluck();
  const found = pages.all(table, type);
  close();
  return found;
}

const total = (saved: Map<string, number[]>) => [...saved.values()].reduce((sum, { length }) => sum + length, 0);

test('a good store is called good, with what is in it', async () => {
  expect(await checkStore(file)).toMatchObject({ exists: false, isGood: true });
  await fill();
  expect(await checkStore(file)).toMatchObject({
    exists: true,
    isGood: true,
    findings: [],
    lines: 3 * LINES,
    streams: 3,
  });
});

test('a repair of a good store keeps everything, and begins a new epoch', async () => {
  const epoch = await fill();
  const before = readFileSync(file);
  const report = await repairStore(file);
  expect(report).toMatchObject({ lines: 3 * LINES, streams: 3, holes: [], nameless: 0, lostTables: [] });
  const after = await look();
  expect([...after.saved]).toEqual(
    STREAMS.map((name) => [name, Array.from({ length: LINES }, (_, index) => index + 1)]),
  );
  expect(after.epoch).not.toBe(epoch);
  expect(after.labels).toEqual([{ session_id: 's-run-1', name: 'my name', starred: 1 }]);
  expect(readFileSync(report.keptAs).equals(before)).toBe(true);
  expect(statSync(report.keptAs).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => /copy|new/.test(name))).toEqual([]);
});

test('overwritten pages: every line beside them is saved, and what is lost is told', async () => {
  await fill();
  const leaves = await pagesOf('lines', 'leaf');
  const damaged = leaves.filter((_, index) => index % 9 === 4);
  for (const page of damaged) overwrite((page - 1) * 4096, 4096);
  const check = await checkStore(file);
  expect(check.isGood).toBe(false);
  expect(check.findings[0]).toMatchObject({
    code: 'corrupt',
    message: expect.stringContaining('tailrace doctor --repair'),
  });
  const report = await repairStore(file);
  const { saved } = await look();
  expect(total(saved)).toBe(report.lines);
  const lost = report.holes.reduce((sum, { fromSeq, toSeq }) => sum + toSeq - fromSeq + 1, 0);
  expect(report.lines + lost).toBe(3 * LINES);
  expect(lost).toBeGreaterThan(0);
  // A leaf has room for some forty of the small lines.
  expect(lost).toBeLessThan(damaged.length * 45);
  for (const { stream, fromSeq, toSeq } of report.holes) {
    expect(saved.get(stream)?.some((seq) => seq >= fromSeq && seq <= toSeq)).toBe(false);
  }
  // What has a source is set aside, so that it is read again under its own name.
  expect([...saved.keys()].filter((name) => STREAMS.includes(name))).toEqual(['run-1']);
  expect((await checkStore(file)).isGood).toBe(true);
});

test('the pages that lead to the lines: nothing is lost without them', async () => {
  await fill();
  for (const page of await pagesOf('lines', 'internal')) overwrite((page - 1) * 4096, 4096);
  for (const page of await pagesOf('sqlite_autoindex_lines_1', 'leaf')) overwrite((page - 1) * 4096, 4096);
  expect(await repairStore(file)).toMatchObject({ lines: 3 * LINES, holes: [] });
  expect(total((await look()).saved)).toBe(3 * LINES);
});

test('a header of garbage: nothing is lost, labels neither', async () => {
  await fill();
  overwrite(0, 100);
  await expect(openConnection({ file })).rejects.toMatchObject({ code: 'corrupt' });
  expect((await checkStore(file)).findings).toMatchObject([{ code: 'corrupt' }]);
  expect(await repairStore(file)).toMatchObject({ lines: 3 * LINES, holes: [], lostTables: [] });
  expect((await look()).labels).toHaveLength(1);
});

test('a first page of garbage: no line is lost, and that labels are is told', async () => {
  await fill();
  overwrite(0, 4096);
  expect(await repairStore(file)).toMatchObject({
    lines: 3 * LINES,
    holes: [],
    lostTables: expect.arrayContaining(['labels', 'tags']),
  });
  expect(total((await look()).saved)).toBe(3 * LINES);
});

test('a file that was cut off', async () => {
  await fill();
  truncateSync(file, Math.floor(statSync(file).size / 2));
  expect((await checkStore(file)).isGood).toBe(false);
  const report = await repairStore(file);
  expect(report.lines).toBeGreaterThan(LINES);
  expect(total((await look()).saved)).toBe(report.lines);
  const lost = report.holes.reduce((sum, { fromSeq, toSeq }) => sum + toSeq - fromSeq + 1, 0);
  expect(report.lines + lost).toBe(3 * LINES);
});

test('lost streams: their lines are saved without a name', async () => {
  await fill();
  for (const page of await pagesOf('streams', 'leaf')) overwrite((page - 1) * 4096, 4096);
  expect(await repairStore(file)).toMatchObject({ lines: 3 * LINES, streams: 3, nameless: 3 });
});

/** The files as they are while the store is open: the -wal file is full. */
async function fillAndCopy(): Promise<void> {
  const copy = join(folder, 'copy.db');
  await fill(({ raw }) => {
    raw.pragma('wal_autocheckpoint = 0');
    raw.prepare("UPDATE streams SET lease_pid = 4194305, lease_start = 'long ago'").run();
    for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);
  });
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  for (const suffix of ['', '-wal']) copyFileSync(copy + suffix, file + suffix);
}

test('lines in the -wal file are saved, also behind a damaged place', async () => {
  await fillAndCopy();
  overwrite(0, 100);
  expect(await repairStore(file)).toMatchObject({ lines: 3 * LINES, holes: [] });
  expect(total((await look()).saved)).toBe(3 * LINES);
  rmSync(file);
  await fillAndCopy();
  const log = `${file}-wal`;
  const frames = Math.floor((statSync(log).size - 32) / 4120);
  overwrite(32 + Math.floor(frames / 3) * 4120 + 1000, 2000, log);
  const report = await repairStore(file);
  expect(report.lines).toBeGreaterThan(2.5 * LINES);
  expect(total((await look()).saved)).toBe(report.lines);
  expect(existsSync(`${report.keptAs}-wal`)).toBe(true);
});

test('a deleted -wal file: what is left is whole, or is made so', async () => {
  await fillAndCopy();
  rmSync(`${file}-wal`);
  const { isGood } = await checkStore(file);
  if (!isGood) await repairStore(file);
  const { saved } = await look();
  for (const seqs of saved.values()) expect(seqs).toEqual(seqs.map((_, index) => index + 1));
});

test('a store that is being written is not repaired; dead writers are named', async () => {
  const connection = await openConnection({ file });
  const record = createRecord(connection);
  await record.claim('run', { kind: 'run' });
  await expect(repairStore(file)).rejects.toMatchObject({ code: 'busy' });
  connection.raw.prepare("UPDATE streams SET lease_start = 'before'").run();
  expect((await checkStore(file)).findings).toMatchObject([{ level: 'note', code: 'busy' }]);
  connection.close();
  expect(await repairStore(file)).toMatchObject({ streams: 1 });
});

test('a store of a later version is not repaired', async () => {
  await fill(
    ({ raw }) =>
      void raw.prepare("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-future', '2030')").run(),
  );
  await expect(repairStore(file)).rejects.toMatchObject({ code: 'newer' });
  expect((await checkStore(file)).findings).toMatchObject([{ level: 'problem', code: 'newer' }]);
  expect(readdirSync(folder).filter((name) => name.includes('db.'))).toEqual([]);
});

test('names of steps that are damaged are no later version', async () => {
  await fill(({ raw }) => {
    raw.prepare("UPDATE kysely_migration SET name = '' WHERE name LIKE '0003%'").run();
  });
  expect((await checkStore(file)).findings).toMatchObject([{ level: 'problem', code: 'corrupt' }]);
  const { lostTables } = await repairStore(file);
  expect(lostTables).toEqual([]);
  expect((await checkStore(file)).isGood).toBe(true);
});

test('random damage: what comes out is a good store', async () => {
  await fill();
  const whole = readFileSync(file);
  const holes = fc.array(fc.tuple(fc.nat(whole.length), fc.constantFrom(512, 4096, 20_000)), {
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(holes, fc.option(fc.nat(whole.length)), async (places, length) => {
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
      writeFileSync(file, length === null ? whole : whole.subarray(0, length), { mode: 0o600 });
      // Sectors of zeros, as a disk leaves them.
      for (const [offset, size] of places) {
        const descriptor = openSync(file, 'r+');
        const start = offset - (offset % 512);
        writeSync(descriptor, Buffer.alloc(size), 0, size, start);
        closeSync(descriptor);
      }
      const report = await repairStore(file);
      const connection = await openConnection({ file });
      const positions = connection.raw
        .prepare('SELECT count(*), count(DISTINCT position), max(position) FROM lines')
        .raw()
        .get() as number[];
      expect(positions[0]).toBe(report.lines);
      expect(positions[2] ?? 0).toBeLessThanOrEqual(3 * LINES);
      connection.close();
      expect((await checkStore(file)).isGood).toBe(true);
    }),
    { numRuns: 15, examples: [[[[8704, 4096]], null]] },
  );
});
