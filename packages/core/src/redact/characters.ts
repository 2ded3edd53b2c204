// What a character can be part of, as bits: one look into a table instead of a chain of comparisons.

/** 0-9 a-f A-F */
export const HEX = 1;
/** A-Z 0-9 */
export const UPPER = 2;
/** A-Z a-z 0-9 */
export const WORD = 4;
/** WORD and _ - */
export const TOKEN = 8;
/** TOKEN and . */
export const DOTTED = 16;
/** WORD and + / = */
export const BASE64 = 32;
/** What ends a value that stands without quotes. */
export const ENDS_VALUE = 64;

/** For each UTF-16 unit there is, so that no look goes past the table's end. */
const bits = new Uint8Array(65_536);

function add(characters: string, kinds: number): void {
  for (let at = 0; at < characters.length; at++) {
    const code = characters.charCodeAt(at);
    bits[code] = (bits[code] ?? 0) | kinds;
  }
}

add('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', WORD | TOKEN | DOTTED | BASE64);
add('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', UPPER);
add('abcdefABCDEF0123456789', HEX);
add('_-', TOKEN | DOTTED);
add('.', DOTTED);
add('+/=', BASE64);
add(' "\'`,;&()[]{}<>|', ENDS_VALUE);
// Control characters: blanks, line ends, the zero between variables, what steers a terminal.
for (let code = 0; code < 0x20; code++) add(String.fromCharCode(code), ENDS_VALUE);

/** What the scan steps by: 1 for what words are made of, 2 for `=`, `:` and `>`. */
export const steps: Uint8Array = bits.map((kinds) => (kinds & TOKEN ? 1 : 0));
steps[0x3d] = 2;
steps[0x3a] = 2;
steps[0x3e] = 2;

/** Whether the character at this place is of these kinds; nothing is at the end. */
export function isAt(text: string, at: number, kinds: number): boolean {
  return ((bits[text.charCodeAt(at)] ?? 0) & kinds) !== 0;
}

/** Where characters of these kinds end that begin here, looking at no more than `most` of them. */
export function runEnd(text: string, from: number, kinds: number, most: number = text.length): number {
  const limit = Math.min(text.length, from + most);
  let at = from;
  while (at < limit && ((bits[text.charCodeAt(at)] ?? 0) & kinds) !== 0) at++;
  return at;
}

export const BACKSLASH = 0x5c;
export const COLON = 0x3a;
export const ESCAPE = 0x1b;

/** A quote of one of the three kinds. */
export function isQuote(code: number): boolean {
  return code === 0x22 || code === 0x27 || code === 0x60;
}

/** Also a sequence that steers a terminal, of which its ESC is left: it shows nothing. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === ESCAPE;
}

/** Behind any number of backslashes. */
export function behindBackslashes(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === BACKSLASH) at++;
  return at;
}
