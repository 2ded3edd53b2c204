// A cursor says how far a client has come. To clients it is opaque.

/** The store's epoch, and the last line of which all events were sent, counted over all streams in the order of their commits. */
export interface Cursor {
  readonly epoch: string;
  readonly position: number;
}

const SEPARATOR = '.';

export function encodeCursor({ epoch, position }: Cursor): string {
  return `${epoch}${SEPARATOR}${position.toString(36)}`;
}

/** Nothing when it was not made by {@link encodeCursor}. */
export function decodeCursor(text: string): Cursor | undefined {
  const at = text.lastIndexOf(SEPARATOR);
  const digits = text.slice(at + 1);
  if (at <= 0 || !/^[0-9a-z]{1,11}$/.test(digits)) return undefined;
  const position = Number.parseInt(digits, 36);
  const cursor = { epoch: text.slice(0, at), position };
  return Number.isSafeInteger(position) && encodeCursor(cursor) === text ? cursor : undefined;
}
