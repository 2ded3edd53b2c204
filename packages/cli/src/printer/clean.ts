// Text from an agent must not steer the terminal: control characters go, and with an escape the whole sequence it begins.
// A sequence may be cut over two pieces, so a cleaner remembers where it stands.

type Place = 'text' | 'escape' | 'sequence' | 'string' | 'string-escape';

const ESCAPE = 0x1b;
const BELL = 0x07;
const STRING_TERMINATOR = 0x9c;

/** What is not shown, or begins something that is not: most texts have none of it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

const ASCII = /^[ -~]*$/;

export interface Cleaner {
  clean(text: string): string;
}

export function createCleaner(): Cleaner {
  let place: Place = 'text';

  /** Whether the character is shown; moves on through a sequence otherwise. */
  function keeps(code: number): boolean {
    switch (place) {
      case 'text':
        if (code === ESCAPE) place = 'escape';
        else if (code === 0x9b) place = 'sequence';
        else if (code === 0x90 || code === 0x98 || (code >= 0x9d && code <= 0x9f)) place = 'string';
        else return code === 0x09 || code === 0x0a || (code >= 0x20 && code < 0x7f) || code > 0x9f;
        return false;
      case 'escape':
        // ESC [ begins a sequence; ESC ] P X ^ _ begin a string; anything else is over with this character.
        if (code === 0x5b) place = 'sequence';
        else if (code === 0x5d || code === 0x50 || code === 0x58 || code === 0x5e || code === 0x5f) place = 'string';
        else if (code >= 0x20 && code <= 0x2f) place = 'escape';
        else place = 'text';
        return false;
      case 'sequence':
        if (code >= 0x40 && code <= 0x7e) place = 'text';
        return false;
      case 'string':
        if (code === BELL || code === STRING_TERMINATOR) place = 'text';
        else if (code === ESCAPE) place = 'string-escape';
        // A string nobody ends would swallow everything: a line feed ends it.
        else if (code === 0x0a) place = 'text';
        return code === 0x0a;
      case 'string-escape':
        place = code === 0x5c ? 'text' : 'string';
        return false;
    }
  }

  return {
    clean(text) {
      if (place === 'text' && !STEERING.test(text)) return text;
      let shown = '';
      let start = 0;
      for (let at = 0; at < text.length; at++) {
        if (keeps(text.charCodeAt(at))) continue;
        shown += text.slice(start, at);
        start = at + 1;
      }
      return shown + text.slice(start);
    },
  };
}

/** The same for a text that is whole. */
export function cleanText(text: string): string {
  return createCleaner().clean(text);
}

/** One line of it, at most `width` characters, for a card. */
export function cleanLine(text: string, width: number): string {
  return fitLine(cleanText(text), width);
}

/** A clean text on one line, at most `width` characters. */
export function fitLine(text: string, width: number): string {
  // A character has at most two code units, unless somebody heaps marks on it.
  const near = text.length > 4 * width ? text.slice(0, 4 * width) : text;
  const line = /[\n\t]/.test(near) ? near.replaceAll('\n', ' ').replaceAll('\t', ' ') : near;
  if (line.length <= width) return line;
  if (ASCII.test(line)) return `${line.slice(0, width - 1)}…`;
  const characters = [...line];
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : line;
}
