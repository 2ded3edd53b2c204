// Random work of several writers at once, from a seed: appends of all sizes, repeats, overlaps, holes, leases that change hands.

import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import type { LineRecord, NewLine, StoredLine } from '../contract.ts';
import type { OpenRecord, RecordPlace } from './record-suite.ts';

/** Each stream must come out as 1..n without a hole and byte for byte, and positions must rise in the order of commits. */
export async function trySchedule(place: RecordPlace, seed: number): Promise<void> {
  const random = createRandom(seed);
  const opened = [await place.open(), await place.open()];
  try {
    const names = ['a', 'b', 'c'];
    await Promise.all(names.map((name) => writeStream(opened, name, createRandom(random(1_000_000)))));
    for (const { record } of opened) await compare(record, names);
  } catch (error) {
    throw new Error(`The schedule with seed ${seed} went wrong.`, { cause: error });
  } finally {
    for (const { close } of opened) await close();
  }
}

async function writeStream(opened: readonly OpenRecord[], name: string, random: Random): Promise<void> {
  let next = 1;
  let position = 0;
  for (let turn = 0; turn < 3; turn++) {
    const record = opened[random(opened.length)]?.record;
    if (record === undefined) return;
    const lease = await record.claim(name, { kind: 'run' });
    strictEqual(lease.stream.nextSeq, next);
    for (let step = 0; step < 8; step++) {
      if (random(6) === 0) await mustFail(record, name, next + 1 + random(3));
      const first = Math.max(1, next - random(6));
      const calls = cut(first, next - first + random(20), random);
      const positions = await Promise.all(
        calls.map(([from, count]) => record.append(name, from, linesOf(name, from, count))),
      );
      const end = Math.max(next, first + calls.reduce((sum, [, count]) => sum + count, 0));
      // Acknowledgements of new lines rise.
      if (end > next) {
        ok(Math.max(...positions) > position);
        position = Math.max(...positions);
      }
      next = end;
    }
    await lease.release();
  }
}

async function mustFail(record: LineRecord, name: string, seq: number): Promise<void> {
  const [result] = await Promise.allSettled([record.append(name, seq, linesOf(name, seq, 1))]);
  strictEqual(result?.status === 'rejected' && result.reason.code, 'hole');
}

/** Several calls that are made together. */
function cut(first: number, count: number, random: Random): [number, number][] {
  const calls: [number, number][] = [];
  for (let from = first; from < first + count; ) {
    const size = Math.min(1 + random(8), first + count - from);
    calls.push([from, size]);
    from += size;
  }
  return calls;
}

async function compare(record: LineRecord, names: readonly string[]): Promise<void> {
  const seen = new Map<string, StoredLine[]>(names.map((name) => [name, []]));
  let position = 0;
  for (;;) {
    const piece = await record.after(position, 50);
    if (piece.length === 0) break;
    for (const line of piece) {
      ok(line.position > position);
      position = line.position;
      seen.get(line.stream)?.push(line);
    }
  }
  for (const [name, lines] of seen) {
    const expected = linesOf(name, 1, lines.length).map(({ bytes }) => text(bytes));
    deepStrictEqual(
      lines.map(({ seq }) => seq),
      expected.map((_, index) => index + 1),
    );
    deepStrictEqual(
      lines.map(({ bytes }) => text(bytes)),
      expected,
    );
    strictEqual((await record.stream(name))?.nextSeq, lines.length + 1);
  }
}

/** What line a stream has at a number is settled by both. */
function linesOf(name: string, first: number, count: number): NewLine[] {
  return Array.from({ length: count }, (_, index) => {
    const seq = first + index;
    const bytes = new Uint8Array(Buffer.from(`${name}${seq} ${'x'.repeat((seq * 7919) % 300)}\n`));
    return { at: seq, source: 'stdout', bytes };
  });
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** A whole number below the limit. */
type Random = (limit: number) => number;

function createRandom(seed: number): Random {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
