// A cursor says how far a client has come. To clients it is opaque.

/**
 * The store's epoch, and the last line of which all events were sent, counted over all streams in the order of their commits. What
 * no line told stands between two lines, in steps of {@link STEP}.
 */
export interface Cursor {
  readonly epoch: string;
  readonly position: number;
  /** Whoever has this began anew when everything was told up to here: what was no longer so before that is not news to them. */
  readonly fresh?: number | undefined;
}

const SEPARATOR = '.';
const STEP: number = 2 ** -16;

export function encodeCursor({ epoch, position, fresh = 0 }: Cursor): string {
  const rest = fresh > position ? `-${stepsOf(fresh)}` : '';
  return `${epoch}${SEPARATOR}${stepsOf(position)}${rest}`;
}

/** Nothing when it was not made by {@link encodeCursor}. */
export function decodeCursor(text: string): Cursor | undefined {
  const at = text.lastIndexOf(SEPARATOR);
  const [, position, fresh] = /^([0-9a-z]{1,11})(?:-([0-9a-z]{1,11}))?$/.exec(text.slice(at + 1)) ?? [];
  if (at <= 0 || position === undefined) return undefined;
  const cursor = {
    epoch: text.slice(0, at),
    position: placeOf(position),
    ...(fresh !== undefined && { fresh: placeOf(fresh) }),
  };
  return encodeCursor(cursor) === text ? cursor : undefined;
}

function stepsOf(place: number): string {
  return Math.round(place / STEP).toString(36);
}

/** No number for one that is too large to be exact. */
function placeOf(digits: string): number {
  const steps = Number.parseInt(digits, 36);
  return Number.isSafeInteger(steps) ? steps * STEP : Number.NaN;
}
