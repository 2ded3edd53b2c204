// Reading JSON that came from outside: every value is `unknown` until one of these small guards has looked at it.

/** Any JSON value. It came from outside, so it is `unknown` until somebody looks. */
export type Json = unknown;

/**
 * An object from the wire seen through its documented type: the names of the fields are checked by the compiler,
 * their values are `unknown`, because nothing promises that an agent keeps to its own types.
 */
export type Loose<T> = { readonly [K in keyof T]?: unknown };

/** The value as an object with the fields of `T`, or nothing when it is anything else (arrays included). */
export function asObject<T = Record<string, unknown>>(value: Json): Loose<T> | undefined {
  // The cast only adds names: each field stays `unknown`.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose<T>) : undefined;
}

/** The value as a string, or nothing. */
export function asText(value: Json): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value as a finite number, or nothing: `1e400` parses to Infinity, which no figure can use. */
export function asNumber(value: Json): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** More than this nobody counts: a sum of such counts stays exact, and a larger number is a mistake. */
const MAX_COUNT = 1e12;

/** The value as a count of something: a whole number that is not negative and that can be added up exactly. */
export function asCount(value: Json): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= MAX_COUNT && Number.isInteger(value) ? value : undefined;
}

/** The value as a list; anything else is an empty one. */
export function asList(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The strings of a list, or nothing when it is no list: absent is not the same as empty. */
export function asTexts(value: Json): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : undefined;
}

/** What a table of ours has under a key from outside, which may be `constructor`: only the table's own keys count. */
export function entryOf<T>(table: Readonly<Record<string, T>>, key: Json): T | undefined {
  return typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;
}
