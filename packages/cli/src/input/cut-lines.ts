// Bytes → lines as they are to be printed again.

const LINE_FEED = 10;

/** A line with its line feed, or a part of one: `isRest` when its beginning came before. */
export interface Cut {
  readonly bytes: Uint8Array;
  readonly isRest: boolean;
  /** When it came, where that was kept. */
  readonly at?: number | undefined;
}

/** Whole lines, each in bytes of its own. A line of `heldBytes` and more comes in parts. */
export async function* cutLines(input: AsyncIterable<Uint8Array>, heldBytes: number): AsyncGenerator<Cut, void> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let isRest = false;
  let failure: unknown;
  try {
    for await (const bytes of input) {
      for (let start = 0; start < bytes.length; ) {
        const end = bytes.indexOf(LINE_FEED, start) + 1;
        // A copy: the reader uses its buffer again.
        const piece = Buffer.from(bytes.subarray(start, end || bytes.length));
        start += piece.length;
        size += piece.length;
        pieces.push(piece);
        if (end === 0 && size < heldBytes && !isRest) continue;
        yield { bytes: Buffer.concat(pieces), isRest };
        pieces = [];
        size = 0;
        isRest = end === 0;
      }
    }
  } catch (error) {
    failure = error;
  }
  if (size > 0) yield { bytes: Buffer.concat(pieces), isRest };
  if (failure !== undefined) throw failure;
}
