// Characters that JSON writes as `\u002d`. A text with such is looked at as it is meant, and what is found is told as it is written.

/** A text as it is meant, and where each of its characters is written. */
export interface Meant {
  readonly text: string;
  /** The place in the written text, also of the end. */
  place(at: number): number;
}

/** Undefined for a text that has nothing of the kind: nearly every one. */
export function readEscapes(written: string): Meant | undefined {
  if (!written.includes('\\u00')) return undefined;
  let text = '';
  /** Where the text goes on after each escape: as it is meant, and as it is written. */
  const turns: [meant: number, written: number][] = [[0, 0]];
  let last = 0;
  for (const match of written.matchAll(/\\u00([0-7][\da-fA-F])/g)) {
    const code = Number.parseInt(match[1] ?? '', 16);
    if (code < 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) continue;
    let start = match.index;
    // The escape of an escape has more backslashes.
    while (start > last && written.charCodeAt(start - 1) === 0x5c) start--;
    text += written.slice(last, start);
    turns.push([text.length, start]);
    text += String.fromCharCode(code);
    last = match.index + match[0].length;
    turns.push([text.length, last]);
  }
  text += written.slice(last);
  return {
    text,
    place: (at) => {
      let low = 0;
      for (let high = turns.length - 1; low < high; ) {
        const middle = (low + high + 1) >> 1;
        if ((turns[middle]?.[0] ?? 0) <= at) low = middle;
        else high = middle - 1;
      }
      const [meant, start] = turns[low] ?? [0, 0];
      return start + at - meant;
    },
  };
}

/** Where an escape begins that the end of the text cuts off; the text's length when none does. */
export function cutEscape(text: string): number {
  const { length } = text;
  let start = length - 1;
  while (start >= length - 5 && start >= 0 && text.charCodeAt(start) !== 0x5c) start--;
  if (text.charCodeAt(start) !== 0x5c || !'u00'.startsWith(text.slice(start + 1, start + 4))) return length;
  while (text.charCodeAt(start - 1) === 0x5c) start--;
  return start;
}
