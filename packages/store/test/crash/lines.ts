// The lines that the proofs write: each is settled by its stream and its number, so anybody can tell whether it is the right one.

import type { NewLine } from '../../src/contract.ts';

/** Line `seq` of a stream: mostly short, now and then over several pages. */
export function lineOf(stream: string, seq: number): NewLine {
  const size = seq % 41 === 0 ? 20_000 : seq % 11 === 0 ? 2500 : 60 + ((seq * 37) % 200);
  return { at: seq, source: 'stdout', bytes: new Uint8Array(Buffer.from(`${stream} ${seq} `.padEnd(size, `${seq},`))) };
}

export function linesOf(stream: string, first: number, count: number): NewLine[] {
  return Array.from({ length: count }, (_, index) => lineOf(stream, first + index));
}
