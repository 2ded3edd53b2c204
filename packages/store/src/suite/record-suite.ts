// What is asked of every record, whatever it is built on. Knows no test runner: `test` takes a name and a function that throws.

import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import type { LineRecord, NewLine, StoredLine } from '../contract.ts';
import { trySchedule } from './schedule.ts';

/** A record that can be opened several times at once, as several processes would. */
export interface RecordPlace {
  open(): Promise<OpenRecord>;
  /** Takes everything away. */
  remove(): Promise<void>;
}

export interface OpenRecord {
  readonly record: LineRecord;
  close(): Promise<void>;
}

export interface RecordSuiteOptions {
  readonly test: (name: string, run: () => Promise<void>) => void;
  readonly make: () => Promise<RecordPlace>;
  /** How many random schedules are tried, and the seed of the first. */
  readonly schedules?: number | undefined;
  readonly seed?: number | undefined;
}

/** Registers the suite with a test runner. */
export function describeRecord({
  test,
  make,
  schedules = 20,
  seed = Date.now() % 1_000_000,
}: RecordSuiteOptions): void {
  for (const [name, run] of Object.entries(cases)) {
    test(name, () => inPlace(make, run));
  }
  test('random schedules of several writers leave every stream whole', async () => {
    for (let round = 0; round < schedules; round++) await inPlace(make, (place) => trySchedule(place, seed + round));
  });
}

async function inPlace(make: () => Promise<RecordPlace>, run: (place: RecordPlace) => Promise<void>): Promise<void> {
  const place = await make();
  try {
    await run(place);
  } finally {
    await place.remove();
  }
}

const cases: Readonly<Record<string, (place: RecordPlace) => Promise<void>>> = {
  'lines come out as they went in, numbered from 1, with rising positions': (place) =>
    withRecord(place, async (record) => {
      await record.claim('run', { kind: 'run' });
      const odd: NewLine[] = [
        { at: 5, source: 'stdout', bytes: bytes('{"a":1}\n') },
        { at: 5, source: 'stderr', bytes: new Uint8Array() },
        { at: 6, source: 'stdin', bytes: Uint8Array.of(0, 255, 254, 10) },
        { at: 7, source: 'transcript', bytes: bytes('no line feed') },
        { at: 7.0, source: 'hook', bytes: bytes('日本語\r\n') },
        { at: 8, source: 'host', bytes: new Uint8Array(5_000_000).fill(120) },
      ];
      const last = await record.append('run', 1, odd);
      const kept = await readAll(record, 'run');
      deepStrictEqual(
        kept.map(withoutPosition),
        odd.map((one, index) => ({ ...plain(one), stream: 'run', seq: index + 1 })),
      );
      ok(isRising(kept.map(({ position }) => position)));
      strictEqual(kept.at(-1)?.position, last);
      strictEqual(await record.last(), last);
    }),

  'a line that is there already is left as it is': (place) =>
    withRecord(place, async (record) => {
      await record.claim('run', { kind: 'run' });
      const last = await record.append('run', 1, lines('a', 'b', 'c'));
      strictEqual(await record.append('run', 1, lines('a', 'b', 'c')), last);
      ok((await record.append('run', 2, lines('b', 'c', 'd'))) > last);
      ok((await record.append('run', 1, lines('a'))) < last);
      deepStrictEqual(await texts(record, 'run'), ['a', 'b', 'c', 'd']);
      strictEqual((await record.stream('run'))?.nextSeq, 5);
      strictEqual((await record.stream('run'))?.bytes, 4);
    }),

  'a repeat that differs is refused, and nothing of it is kept': (place) =>
    withRecord(place, async (record) => {
      await record.claim('run', { kind: 'run' });
      await record.append('run', 1, lines('a', 'b'));
      await rejects(record.append('run', 2, lines('x', 'c'), { cursor: 'far' }), { code: 'refused' });
      deepStrictEqual(await texts(record, 'run'), ['a', 'b']);
      strictEqual((await record.stream('run'))?.cursor, undefined);
    }),

  'a hole is an error': (place) =>
    withRecord(place, async (record) => {
      await record.claim('run', { kind: 'run' });
      await rejects(record.append('run', 2, lines('b')), { code: 'hole' });
      await record.append('run', 1, lines('a'));
      await rejects(record.append('run', 3, lines('c')), { code: 'hole' });
      await rejects(record.append('run', 3, [], { cursor: 'far' }), { code: 'hole' });
      for (const seq of [0, -1, 1.5, Number.NaN])
        await rejects(record.append('run', seq, lines('a')), { code: 'refused' });
      deepStrictEqual(await texts(record, 'run'), ['a']);
    }),

  'only who has claimed a stream writes to it': (place) =>
    withRecord(place, async (record) => {
      await rejects(record.append('run', 1, lines('a')), { code: 'refused' });
      const lease = await record.claim('run', { kind: 'run' });
      await record.append('run', 1, lines('a'));
      await lease.release();
      await rejects(record.append('run', 2, lines('b')), { code: 'refused' });
      await lease.release();
    }),

  'one claim at a time': (place) =>
    withRecord(place, (record) =>
      withRecord(place, async (other) => {
        const lease = await record.claim('run', { kind: 'run' });
        await rejects(other.claim('run', { kind: 'run' }), { code: 'busy' });
        await rejects(record.claim('run', { kind: 'run' }), { code: 'busy' });
        await rejects(other.append('run', 1, lines('a')), { code: 'refused' });
        await record.append('run', 1, lines('a'), { cursor: 'one' });
        await lease.release();
        const next = await other.claim('run', { kind: 'run' });
        deepStrictEqual([next.stream.nextSeq, next.stream.cursor], [2, 'one']);
        await other.append('run', 2, lines('b'));
        await rejects(record.append('run', 3, lines('c')), { code: 'refused' });
        deepStrictEqual(await texts(record, 'run'), ['a', 'b']);
      }),
    ),

  'of many claims at once one wins': (place) =>
    withRecord(place, (record) =>
      withRecord(place, async (other) => {
        const claims = [record, other, record, other].map((one) => one.claim('run', { kind: 'run' }));
        const results = await Promise.allSettled(claims);
        strictEqual(results.filter(({ status }) => status === 'fulfilled').length, 1);
        for (const result of results) if (result.status === 'rejected') strictEqual(result.reason.code, 'busy');
      }),
    ),

  'what is told later takes the place of what was told before': (place) =>
    withRecord(place, async (record) => {
      const first = await record.claim('file', { kind: 'transcript', path: '/a', sessionId: 's1' });
      await first.release();
      const { stream } = await record.claim('file', {
        kind: 'transcript',
        agent: 'some',
        path: '/b',
        about: { of: [1, 'x'] },
      });
      const expected = {
        name: 'file',
        kind: 'transcript',
        agent: 'some',
        sessionId: 's1',
        path: '/b',
        about: { of: [1, 'x'] },
      };
      deepStrictEqual(stream, { ...expected, nextSeq: 1, bytes: 0 });
      deepStrictEqual(await record.stream('file'), stream);
      strictEqual(await record.stream('another'), undefined);
    }),

  'a cursor is kept with its lines, or alone': (place) =>
    withRecord(place, async (record) => {
      await record.claim('file', { kind: 'transcript' });
      strictEqual(await record.append('file', 1, [], { cursor: 'zero' }), 0);
      strictEqual((await record.stream('file'))?.cursor, 'zero');
      const position = await record.append('file', 1, lines('a'), { cursor: 'one' });
      strictEqual(await record.append('file', 2, [], { cursor: 'two' }), position);
      strictEqual((await record.stream('file'))?.cursor, 'two');
      await record.append('file', 2, lines('b'));
      strictEqual((await record.stream('file'))?.cursor, 'two');
    }),

  'calls made together: a bad one does not harm the others': (place) =>
    withRecord(place, async (record) => {
      await record.claim('a', { kind: 'run' });
      await record.claim('b', { kind: 'run' });
      const results = await Promise.allSettled([
        record.append('a', 1, lines('1')),
        record.append('b', 2, lines('hole')),
        record.append('a', 2, lines('2', '3')),
        record.append('c', 1, lines('unclaimed')),
        record.append('a', 1, lines('differs')),
        record.append('b', 1, lines('4')),
        record.append('a', 4, lines('5')),
      ]);
      const codes = results.map((result) => (result.status === 'fulfilled' ? 'kept' : result.reason.code));
      deepStrictEqual(codes, ['kept', 'hole', 'kept', 'refused', 'refused', 'kept', 'kept']);
      deepStrictEqual(await texts(record, 'a'), ['1', '2', '3', '5']);
      deepStrictEqual(await texts(record, 'b'), ['4']);
    }),

  'a line that cannot be kept is refused, and harms no other': (place) =>
    withRecord(place, async (record) => {
      await record.claim('a', { kind: 'run' });
      const bad = [{ at: 1.5 }, { at: Number.NaN }, { source: 'nowhere' }, { bytes: 'text' }, { bytes: undefined }];
      const good = record.append('a', 1, lines('1'));
      for (const wrong of bad) {
        // Types do not hold back a caller in JavaScript.
        const one = { ...line('2'), ...wrong } as unknown as NewLine;
        await rejects(record.append('a', 2, [one]), { code: 'refused' });
      }
      await good;
      deepStrictEqual(await texts(record, 'a'), ['1']);
    }),

  'reading gives pieces of bounded size': (place) =>
    withRecord(place, async (record) => {
      await record.claim('run', { kind: 'run' });
      const long = Array.from({ length: 30 }, (_, index) => line(String(index).padStart(1_000_000, '.')));
      await record.append('run', 1, long);
      const sizes: number[] = [];
      for await (const piece of record.read('run', 3))
        sizes.push(piece.reduce((sum, one) => sum + one.bytes.length, 0));
      strictEqual(
        sizes.reduce((sum, size) => sum + size, 0),
        28_000_000,
      );
      ok(
        sizes.every((size) => size <= 8_000_000),
        String(sizes),
      );
      ok((await record.after(0)).length < 30);
      deepStrictEqual(await readAll(record, 'run', 31), []);
      deepStrictEqual(await readAll(record, 'nothing'), []);
    }),

  'lines of all streams come in the order of their commits': (place) =>
    withRecord(place, async (record) => {
      for (const name of ['a', 'b']) await record.claim(name, { kind: 'run' });
      for (let seq = 1; seq <= 10; seq++) {
        await record.append('a', seq, lines(`a${seq}`));
        await record.append('b', seq, lines(`b${seq}`));
      }
      const all: StoredLine[] = [];
      for (;;) {
        const piece = await record.after(all.at(-1)?.position ?? 0, 7);
        ok(piece.length <= 7);
        if (piece.length === 0) break;
        all.push(...piece);
      }
      deepStrictEqual(all.map(textOf).slice(0, 4), ['a1', 'b1', 'a2', 'b2']);
      strictEqual(all.length, 20);
      ok(isRising(all.map(({ position }) => position)));
      strictEqual(await record.last(), all.at(-1)?.position);
      deepStrictEqual(await record.after(0, 0), []);
    }),

  'one line, and streams by session and path': (place) =>
    withRecord(place, async (record) => {
      await record.claim('a', { kind: 'run', sessionId: 's' });
      await record.claim('b', { kind: 'transcript', sessionId: 's', path: '/p' });
      await record.claim('c', { kind: 'transcript', sessionId: 't', path: '/p' });
      await record.append('a', 1, lines('one', 'two'));
      strictEqual(textOf(await record.line('a', 2)), 'two');
      strictEqual(await record.line('a', 3), undefined);
      strictEqual(await record.line('d', 1), undefined);
      const names = async (filter?: { sessionId?: string; path?: string }) =>
        (await record.streams(filter)).map(({ name }) => name);
      deepStrictEqual(await names(), ['a', 'b', 'c']);
      deepStrictEqual(await names({ sessionId: 's' }), ['a', 'b']);
      deepStrictEqual(await names({ path: '/p' }), ['b', 'c']);
      deepStrictEqual(await names({ sessionId: 's', path: '/p' }), ['b']);
    }),

  'what was acknowledged is there after opening again, and closing gives the leases back': async (place) => {
    await withRecord(place, async (record) => {
      await record.claim('run', { kind: 'run' });
      await record.append('run', 1, [{ at: 3, source: 'stdout', bytes: bytes('a') }, line('b', 9)], { cursor: 'x' });
    });
    await withRecord(place, async (record) => {
      const { stream } = await record.claim('run', { kind: 'run' });
      deepStrictEqual([stream.nextSeq, stream.bytes, stream.firstAt, stream.lastAt, stream.cursor], [3, 2, 3, 9, 'x']);
      deepStrictEqual(await texts(record, 'run'), ['a', 'b']);
    });
  },

  'closing keeps what was handed in; afterwards nothing goes': async (place) => {
    const { record, close } = await place.open();
    await record.claim('run', { kind: 'run' });
    const pending = record.append('run', 1, lines('a'));
    await close();
    ok((await pending) > 0);
    await rejects(record.append('run', 2, lines('b')), { code: 'closed' });
    await rejects(record.last(), { code: 'closed' });
    await withRecord(place, async (again) => deepStrictEqual(await texts(again, 'run'), ['a']));
  },
};

async function withRecord(place: RecordPlace, use: (record: LineRecord) => Promise<void>): Promise<void> {
  const { record, close } = await place.open();
  try {
    await use(record);
  } finally {
    await close();
  }
}

async function readAll(record: LineRecord, stream: string, fromSeq?: number): Promise<StoredLine[]> {
  const all: StoredLine[] = [];
  for await (const piece of record.read(stream, fromSeq)) all.push(...piece);
  return all;
}

async function texts(record: LineRecord, stream: string): Promise<string[]> {
  return (await readAll(record, stream)).map(textOf);
}

function textOf(one: NewLine | undefined): string {
  return Buffer.from(one?.bytes ?? []).toString();
}

function lines(...all: readonly string[]): NewLine[] {
  return all.map((text) => line(text));
}

function line(text: string, at = 1): NewLine {
  return { at, source: 'stdout', bytes: bytes(text) };
}

function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text));
}

/** Whether a line's bytes come as a Buffer or as another view is left to the record. */
function plain<T extends NewLine>(one: T): T {
  return { ...one, bytes: new Uint8Array(one.bytes) };
}

function withoutPosition({ position: _position, ...rest }: StoredLine): Omit<StoredLine, 'position'> {
  return plain(rest);
}

function isRising(numbers: readonly number[]): boolean {
  return numbers.every((value, index) => index === 0 || value > (numbers[index - 1] ?? 0));
}
