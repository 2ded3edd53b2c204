// The lines of a file that count, as cheaply as can be: of an answer's line what it says is cut out before it is parsed, and a line
// that only tells the last answer again, which is every second, is not parsed at all.

import type { UsageReader } from './reader.ts';

type Sighting = ReturnType<UsageReader['read']>;

const NOTHING = Buffer.alloc(0);
const BRACE = 0x7b;
/** Where an object ends that is not the last thing in a line. */
const OBJECT_END = Buffer.from('},"');

/** Gives what the line between two bytes tells; nothing when it does not count or tells the last answer again. */
export type ReadLine = (bytes: Buffer, start: number, end: number) => Sighting;

/** For the lines of one file, in their order. */
export function createLineReader(reader: UsageReader): ReadLine {
  const bulkBegin = Buffer.from(reader.bulk.begin);
  const bulkEnd = Buffer.from(reader.bulk.end);
  // What stands around the bulk of the last answer, from the brace before it to the last one after it.
  let before = NOTHING;
  let after = NOTHING;

  return (bytes, start, end) => {
    const found = bytes.indexOf(bulkBegin, start);
    const begin = found + bulkBegin.length;
    if (found < 0 || begin > end) return readWhole(bytes, start, end);
    const isSame = before.length > 0 && begin - before.length >= start && hasAt(bytes, begin - before.length, before);
    const stop = bytes.lastIndexOf(bulkEnd, end - bulkEnd.length);
    if (stop < begin) return readWhole(bytes, start, end);
    if (isSame && stop + after.length <= end && hasAt(bytes, stop, after)) return undefined;
    // What is cut out of a wrong place leaves brackets without partners.
    const short = parse(bytes.toString('latin1', start, begin) + bytes.toString('latin1', stop, end));
    const sighting = short === undefined ? readWhole(bytes, start, end) : reader.read(short);
    remember(bytes, begin, stop, end, sighting);
    return sighting;
  };

  function readWhole(bytes: Buffer, start: number, end: number): Sighting {
    before = NOTHING;
    return reader.read(parse(bytes.toString('latin1', start, end)));
  }

  /** Only what stands in the same object as the answer's id is known to be of the same answer. */
  function remember(bytes: Buffer, begin: number, stop: number, end: number, sighting: Sighting): void {
    before = NOTHING;
    if (sighting?.kind !== 'answer') return;
    const own = bytes.subarray(bytes.lastIndexOf(BRACE, begin - 1), begin);
    const close = bytes.lastIndexOf(OBJECT_END, end);
    if (close < stop || !own.includes(`"${sighting.id}"`, 0, 'latin1')) return;
    before = Buffer.from(own);
    after = Buffer.from(bytes.subarray(stop, close));
  }
}

function hasAt(bytes: Buffer, at: number, expected: Buffer): boolean {
  return bytes.compare(expected, 0, expected.length, at, at + expected.length) === 0;
}

/** What is no JSON is nothing. Texts are not decoded, each byte is a character: hardly any of them are kept. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
