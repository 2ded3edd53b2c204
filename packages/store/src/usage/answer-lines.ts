// The lines of a file that count, as cheaply as can be: of an answer's line what it says is cut out before it is parsed, and a line
// that only tells the last answer again, which is every second, is not parsed at all. Texts are not decoded, each byte is a
// character: hardly any of them are kept.

import type { TranscriptUsage, UsageSighting } from '@tailrace/core';
import { parseJson } from '../json.ts';

type Sighting = UsageSighting | undefined;

const BRACE = 0x7b;
/** Where an object ends that is not the last thing in a line. */
const OBJECT_END = Buffer.from('},"');
/** What stands around an answer is some hundred bytes; where it is more, the answer is parsed again each time. */
const FRAME_BYTES = 4096;

/** Gives what the line between two bytes tells; nothing when it does not count or tells the last answer again. */
export type ReadLine = (bytes: Buffer, start: number, end: number) => Sighting;

/** For the lines of one file, in their order. */
export function createLineReader(reader: TranscriptUsage): ReadLine {
  const bulkBegin = Buffer.from(reader.bulk.begin);
  const bulkEnd = Buffer.from(reader.bulk.end);
  // What stands around the bulk of the last answer, from the brace before it to the last one after it.
  const before = Buffer.alloc(FRAME_BYTES);
  const after = Buffer.alloc(FRAME_BYTES);
  let beforeLength = 0;
  let afterLength = 0;

  return (bytes, start, end) => {
    const found = bytes.indexOf(bulkBegin, start);
    const begin = found + bulkBegin.length;
    const stop = found < 0 || begin > end ? -1 : bytes.lastIndexOf(bulkEnd, end - bulkEnd.length);
    if (stop < begin) return readWhole(bytes, start, end);
    if (isSame(bytes, start, begin, stop, end)) return undefined;
    // What is cut out of a wrong place leaves brackets without partners.
    const short = parseJson(bytes.toString('latin1', start, begin) + bytes.toString('latin1', stop, end));
    if (short === undefined) return readWhole(bytes, start, end);
    const sighting = reader.read(short);
    remember(bytes, begin, stop, end, sighting);
    return sighting;
  };

  function readWhole(bytes: Buffer, start: number, end: number): Sighting {
    beforeLength = 0;
    return reader.read(parseJson(bytes.toString('latin1', start, end)));
  }

  function isSame(bytes: Buffer, start: number, begin: number, stop: number, end: number): boolean {
    const from = begin - beforeLength;
    const to = stop + afterLength;
    if (beforeLength === 0 || from < start || to > end) return false;
    return (
      bytes.compare(before, 0, beforeLength, from, begin) === 0 && bytes.compare(after, 0, afterLength, stop, to) === 0
    );
  }

  /** Only what stands in the same object as the answer's id is known to be of the same answer. */
  function remember(bytes: Buffer, begin: number, stop: number, end: number, sighting: Sighting): void {
    beforeLength = 0;
    if (sighting?.kind !== 'answer') return;
    const open = bytes.lastIndexOf(BRACE, begin - 1);
    const close = bytes.lastIndexOf(OBJECT_END, end);
    if (open < 0 || close < stop || !bytes.toString('latin1', open, begin).includes(`"${sighting.id}"`)) return;
    if (begin - open > FRAME_BYTES || close - stop > FRAME_BYTES) return;
    beforeLength = bytes.copy(before, 0, open, begin);
    afterLength = bytes.copy(after, 0, stop, close);
  }
}
