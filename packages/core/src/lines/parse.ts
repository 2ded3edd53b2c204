// One line's bytes → what it holds. The outcome for every odd input is defined here and tested in parse.test.ts:
// deeper than 512 levels is refused before parsing; of duplicate keys the last wins; `__proto__` is an ordinary key;
// numbers out of range become what `JSON.parse` makes of them (the line keeps them exact); lone surrogates stay;
// broken UTF-8 becomes U+FFFD; NUL is not JSON; U+2028 is a character like any other.

import { isTooDeep } from './depth.ts';
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
// Each line is decoded whole, so a character is never split; a byte order mark at the start of one is dropped.
const decoder = new TextDecoder();

/** Reads one whole line. `isRecord` is asked only when the line is broken, see {@link recoverRecords}. */
export function parseLine(bytes: Uint8Array, isRecord: (value: unknown) => boolean): ParsedLine {
  if (isTooDeep(bytes, MAX_DEPTH)) return { kind: 'too_deep', text: previewText(bytes) };
  const text = decoder.decode(bytes);
  try {
    return { kind: 'value', value: JSON.parse(text) };
  } catch {
    return parseBroken(text, bytes, isRecord);
  }
}

function parseBroken(text: string, bytes: Uint8Array, isRecord: (value: unknown) => boolean): ParsedLine {
  const trimmed = text.trim();
  if (trimmed === '') return BLANK;
  if (trimmed.startsWith(SERVER_SENT)) {
    try {
      return { kind: 'value', value: JSON.parse(trimmed.slice(SERVER_SENT.length)) };
    } catch {
      // Then it is a line like any other.
    }
  }
  const recovered = recoverRecords(trimmed, isRecord);
  if (recovered) return { kind: 'spliced', ...recovered };
  return { kind: 'not_json', text: bytes.length > RAW_TEXT_BYTES ? headText(bytes, RAW_TEXT_BYTES) : text };
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
