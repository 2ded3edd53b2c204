// One line's bytes → what it holds. The outcome for every odd input is defined here and tested in parse.test.ts:
// deeper than 512 levels is refused; of duplicate keys the last wins; `__proto__` is an ordinary key; numbers out of range
// become what `JSON.parse` makes of them (the line keeps them exact); lone surrogates stay; broken UTF-8 becomes U+FFFD;
// NUL is not JSON; U+2028 is a character like any other.

import { isDeeper, isTooDeep } from './depth.ts';
import { MAX_DEPTH, PREVIEW_BYTES, RAW_TEXT_BYTES } from './limits.ts';
import { type Recovered, recoverRecords } from './recover.ts';

export type ParsedLine =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'blank' }
  | { readonly kind: 'too_deep'; readonly text: string }
  | { readonly kind: 'not_json'; readonly text: string }
  | ({ readonly kind: 'spliced' } & Recovered);

const BLANK: ParsedLine = { kind: 'blank' };
const SERVER_SENT = 'data:';
/** A shorter line cannot be too deep: each level has two brackets. */
const SHALLOW_BYTES = 2 * MAX_DEPTH;
/** A longer line is measured before it is parsed: a million levels still fit into memory, sixty million do not. */
const PARSED_FIRST_BYTES = 1024 * 1024;
// Each line is decoded whole, so a character is never split; a byte order mark at the start of one is dropped.
const decoder = new TextDecoder();

/** The text of one whole line. */
export function decodeLine(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Reads one whole line, given as bytes and as text. `isRecord` is asked only when it is broken, see {@link recoverRecords}. */
export function parseLine(bytes: Uint8Array, text: string, isRecord: (value: unknown) => boolean): ParsedLine {
  const { length } = bytes;
  if (length > PARSED_FIRST_BYTES && isTooDeep(bytes, MAX_DEPTH)) return { kind: 'too_deep', text: previewText(bytes) };
  try {
    const value = JSON.parse(text);
    const isDeep = length > SHALLOW_BYTES && length <= PARSED_FIRST_BYTES && isDeeper(value, MAX_DEPTH);
    return isDeep ? { kind: 'too_deep', text: previewText(bytes) } : { kind: 'value', value };
  } catch {
    return parseBroken(text, bytes, isRecord);
  }
}

function parseBroken(text: string, bytes: Uint8Array, isRecord: (value: unknown) => boolean): ParsedLine {
  const trimmed = text.trim();
  if (trimmed === '') return BLANK;
  if (trimmed.startsWith(SERVER_SENT)) {
    const value = parseText(trimmed.slice(SERVER_SENT.length));
    if (value !== undefined) return { kind: 'value', value };
  }
  const recovered = recoverRecords(trimmed, isRecord);
  if (recovered) return { kind: 'spliced', ...recovered };
  return { kind: 'not_json', text: bytes.length > RAW_TEXT_BYTES ? headText(bytes, RAW_TEXT_BYTES) : text };
}

const encoder = new TextEncoder();

/** The value of a JSON text from outside, or nothing when it is none or nests too deep. */
export function parseText(text: string): unknown {
  if (text.length > PARSED_FIRST_BYTES && isTooDeep(encoder.encode(text), MAX_DEPTH)) return undefined;
  try {
    const value = JSON.parse(text);
    return text.length > SHALLOW_BYTES && isDeeper(value, MAX_DEPTH) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** The first bytes of a line as text, whole characters only. */
export function previewText(bytes: Uint8Array): string {
  return headText(bytes, PREVIEW_BYTES);
}

function headText(bytes: Uint8Array, length: number): string {
  if (bytes.length <= length) return decoder.decode(bytes);
  let end = length;
  // Step back to the beginning of the character that would be cut: continuation bytes are 10xxxxxx.
  while (end > length - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return decoder.decode(bytes.subarray(0, end));
}
