// How deep a line nests, counted on its bytes, before anything is built from it.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Whether the JSON in `bytes` nests deeper than `limit` levels. Strings are jumped over, so long ones cost little. */
export function isTooDeep(bytes: Uint8Array, limit: number): boolean {
  // Most lines do not even have that many brackets.
  if (bytes.length <= limit || !hasMore(bytes, limit)) return false;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      if (at < 0) return false;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth++;
      if (depth > limit) return true;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--;
    }
  }
  return false;
}

function hasMore(bytes: Uint8Array, limit: number): boolean {
  let count = 0;
  for (const bracket of [OPEN_BRACE, OPEN_BRACKET]) {
    for (let at = bytes.indexOf(bracket); at >= 0; at = bytes.indexOf(bracket, at + 1)) {
      count++;
      if (count > limit) return true;
    }
  }
  return false;
}

/** The position of the quote that ends the string which begins at `start`, or -1. */
function endOfString(bytes: Uint8Array, start: number): number {
  let end = bytes.indexOf(QUOTE, start + 1);
  while (end >= 0 && isEscaped(bytes, end)) end = bytes.indexOf(QUOTE, end + 1);
  return end;
}

function isEscaped(bytes: Uint8Array, at: number): boolean {
  let backslashes = 0;
  while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}
