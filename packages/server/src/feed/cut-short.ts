// What is too long to travel goes with the beginnings of its longest strings, and says where the whole can be had.

import { type CutString, MAX_STRING_BYTES } from '@tailrace/protocol';

export interface CutShort<T> {
  readonly short: T;
  readonly cut?: readonly CutString[];
}

/** Strings are cut to this, and to less where there are too many of them. */
const STRING_LIMITS = [MAX_STRING_BYTES, 1024, 128];

/** Cuts an event or a message so that its JSON, and the list of what was cut, have at most `maxBytes`. `ref`: where the whole line is. */
export function cutShort<T extends object>(whole: T, ref: string, maxBytes: number): CutShort<T> {
  for (const limit of STRING_LIMITS) {
    const cut: CutString[] = [];
    const short = shorten(whole, [], limit, ref, cut) as T;
    // Most have nothing to cut, and nobody weighs them twice.
    if (sizeOf(short) + (cut.length && sizeOf(cut)) <= maxBytes) return cut.length === 0 ? { short } : { short, cut };
  }
  return strip(whole, ref, maxBytes);
}

type Path = readonly (string | number)[];

/** A copy with its long strings cut; the value itself where nothing was. */
function shorten(value: unknown, path: Path, limit: number, ref: string, cut: CutString[]): unknown {
  if (typeof value === 'string') {
    // A unit of UTF-16 is at most three bytes of UTF-8.
    const bytes = value.length * 3 <= limit ? 0 : Buffer.byteLength(value);
    if (bytes <= limit) return value;
    cut.push({ path, bytes, ref });
    return beginningOf(value, limit);
  }
  if (typeof value !== 'object' || value === null) return value;
  const before = cut.length;
  const entries = Object.entries(value).map(
    ([key, one]) => [key, shorten(one, [...path, Array.isArray(value) ? Number(key) : key], limit, ref, cut)] as const,
  );
  if (cut.length === before) return value;
  // From entries, not by assignment: a key could be `__proto__`.
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}

/** The beginning of a text in at most so many bytes; no character is cut in two. */
function beginningOf(text: string, limit: number): string {
  const bytes = Buffer.from(text.slice(0, limit));
  if (bytes.length <= limit) return text.slice(0, limit);
  let end = limit;
  // Bytes in the middle of a character begin with 10.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

/** There is too much of it even so: fields are left empty, the largest first, until the rest can travel. */
function strip<T extends object>(whole: T, ref: string, maxBytes: number): CutShort<T> {
  const fields = new Map<string, unknown>(Object.entries(whole));
  const sizes = [...fields].map(([name, value]) => ({ name, bytes: sizeOf(value) })).sort((a, b) => b.bytes - a.bytes);
  const cut: CutString[] = [];
  for (const { name, bytes } of sizes) {
    if (sizeOf(Object.fromEntries(fields)) + cut.length * (ref.length + 64) <= maxBytes) break;
    if (name === 'type' || name === 'seq') continue;
    fields.set(name, emptyOf(fields.get(name)));
    cut.push({ path: [name], bytes, ref });
  }
  // Only fields lost what they held, none its type.
  return { short: Object.fromEntries(fields) as unknown as T, cut };
}

function emptyOf(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (Array.isArray(value)) return [];
  return typeof value === 'object' && value !== null ? {} : value;
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
