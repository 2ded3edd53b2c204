// A cursor says how far a client has come. To clients it is opaque.

/**
 * The store's epoch, and the last line of which all events were sent, counted over all streams in the order of their commits. What
 * no line told stands between two lines, in steps of {@link STEP}.
 */
export interface Cursor {
  readonly epoch: string;
  readonly position: number;
}

const SEPARATOR = '.';
const STEP: number = 2 ** -16;

export function encodeCursor({ epoch, position }: Cursor): string {
  return `${epoch}${SEPARATOR}${Math.round(position / STEP).toString(36)}`;
}

/** Nothing when it was not made by {@link encodeCursor}. */
export function decodeCursor(text: string): Cursor | undefined {
  const at = text.lastIndexOf(SEPARATOR);
  const digits = text.slice(at + 1);
  if (at <= 0 || !/^[0-9a-z]{1,11}$/.test(digits)) return undefined;
  const steps = Number.parseInt(digits, 36);
  const cursor = { epoch: text.slice(0, at), position: steps * STEP };
  return Number.isSafeInteger(steps) && encodeCursor(cursor) === text ? cursor : undefined;
}
