// Most lines of a stream differ from the one before in two strings only: a piece of text and an id. A template is learnt from
// such a line once it has been parsed; the next line that fits it needs no parsing. Nothing about any agent is written down
// here: a line that differs in anything else does not fit, and is parsed like any other.

import { parseJson } from './json.ts';

/** A line with two holes, each inside a JSON string. */
export interface LineTemplate {
  /** What the line has in the first hole, or nothing when it does not fit. The second hole is passed over. */
  fit(line: string): string | undefined;
}

const PROBE = '~';

/**
 * The template of a line, or nothing when it cannot be told for sure where the holes are.
 * `first` and `second` are keys with the string values they have in the line; `read` gives both from the parsed line.
 */
export function learnTemplate(
  line: string,
  first: readonly [key: string, value: string],
  second: readonly [key: string, value: string],
  read: (value: unknown) => readonly [unknown, unknown],
): LineTemplate | undefined {
  const hole = placeOf(line, first);
  const passed = placeOf(line, second);
  if (!hole || !passed || passed.start < hole.end) return undefined;
  const head = line.slice(0, hole.start);
  const middle = line.slice(hole.end, passed.start);
  const tail = line.slice(passed.end);
  const passedLength = passed.end - passed.start;
  // One string in place of another changes nothing else in JSON. So if a probe comes out where it should, the holes are right.
  const [inHole, inPassed] = read(parseJson(head + PROBE + middle + PROBE.repeat(passedLength) + tail));
  if (inHole !== PROBE || inPassed !== PROBE.repeat(passedLength)) return undefined;

  return {
    fit(text) {
      const passedEnd = text.length - tail.length;
      const passedStart = passedEnd - passedLength;
      const middleStart = passedStart - middle.length;
      // Slices are compared as wholes, which `startsWith` is not: it goes character by character.
      if (middleStart < head.length || text.slice(passedEnd) !== tail || text.slice(0, head.length) !== head)
        return undefined;
      if (text.slice(middleStart, passedStart) !== middle) return undefined;
      if (!isPlain(text, passedStart, passedEnd)) return undefined;
      const body = text.slice(head.length, middleStart);
      if (isPlain(text, head.length, middleStart)) return body;
      const value = parseJson(`"${body}"`);
      return typeof value === 'string' ? value : undefined;
    },
  };
}

/** Where the value of a key stands, without its quotes; nothing when the pair is there more than once or written otherwise. */
function placeOf(line: string, [key, value]: readonly [string, string]): { start: number; end: number } | undefined {
  const pair = `"${key}":${JSON.stringify(value)}`;
  const at = line.indexOf(pair);
  if (at < 0 || line.indexOf(pair, at + 1) >= 0) return undefined;
  return { start: at + key.length + 4, end: at + pair.length - 1 };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;

/** Whether a JSON string can hold this part of the text as it is: no control character, quote or backslash. */
function isPlain(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < FIRST_PRINTABLE || code === QUOTE || code === BACKSLASH) return false;
  }
  return true;
}
