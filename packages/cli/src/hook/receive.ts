// What comes on standard input, up to a size and up to a time.

import { afterOwnTime } from './own-time.ts';
import type { Received } from './payload.ts';

/** As much of a stream as is needed. */
interface Source {
  on(event: 'data', listener: (piece: Buffer) => void): unknown;
  once(event: 'end' | 'error', listener: () => void): unknown;
  pause(): unknown;
}

/** Reads to the end, or for this many milliseconds. What is too long is counted, and only a part of it kept. */
export function receive(source: Source, longest: number, milliseconds: number): Promise<Received> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let size = 0;
    let kept = 0;
    const done = (isWhole: boolean): void => {
      callOff();
      source.pause();
      resolve({ bytes: Buffer.concat(pieces), size, isWhole });
    };
    const callOff = afterOwnTime(milliseconds, () => done(false));
    source.on('data', (piece) => {
      const part = piece.subarray(0, longest - kept);
      size += piece.length;
      kept += part.length;
      if (part.length > 0) pieces.push(part);
    });
    source.once('end', () => done(true));
    source.once('error', () => done(false));
  });
}
