// Where things stand in a text of JSON, so that a part of it can be changed and the rest stays as it was written, to the byte.
// Only for text that JSON.parse has taken: nothing is checked again. Values are skipped without descending into them, so depth
// costs nothing.

/** A value and, in an object, its name; `start` is where the member begins, name included. */
export interface Part {
  readonly name: string;
  readonly start: number;
  /** Where the value begins. */
  readonly value: number;
  readonly end: number;
}

/** What an object or a list holds, in the order of the text. */
export interface Container {
  readonly kind: 'object' | 'list';
  /** Where its first bracket is. */
  readonly open: number;
  readonly parts: readonly Part[];
  /** After its last bracket. */
  readonly end: number;
}

/** The object or the list that begins here, or nothing when something else does. */
export function containerAt(text: string, at: number): Container | undefined {
  const open = skipSpace(text, at);
  const kind = text[open] === '{' ? 'object' : text[open] === '[' ? 'list' : undefined;
  if (!kind) return undefined;
  const parts: Part[] = [];
  let place = skipSpace(text, open + 1);
  while (text[place] !== '}' && text[place] !== ']') {
    const start = place;
    let name = '';
    if (kind === 'object') {
      const nameEnd = skipValue(text, start);
      name = JSON.parse(text.slice(start, nameEnd));
      place = skipSpace(text, skipSpace(text, nameEnd) + 1);
    }
    const value = place;
    const end = skipValue(text, value);
    parts.push({ name, start, value, end });
    place = skipSpace(text, end);
    if (text[place] === ',') place = skipSpace(text, place + 1);
  }
  return { kind, open, parts, end: place + 1 };
}

/** The last member of this name: the one that counts when a name comes twice. */
export function memberOf(container: Container, name: string): Part | undefined {
  return container.parts.filter((part) => part.name === name).at(-1);
}

/** The white space at the beginning of the line that this place is in. */
export function indentAt(text: string, at: number): string {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  return text.slice(line, skipSpace(text, line, at));
}

function skipSpace(text: string, at: number, before: number = text.length): number {
  let place = at;
  while (place < before && ' \t\r\n'.includes(text[place] ?? '.')) place++;
  return place;
}

function skipValue(text: string, at: number): number {
  let place = at;
  let depth = 0;
  do {
    const sign = text[place];
    if (sign === '"') place = skipString(text, place);
    else {
      if (sign === '{' || sign === '[') depth++;
      else if (sign === '}' || sign === ']') depth--;
      place++;
    }
    // A number or a word has no end of its own.
    if (depth === 0 && isBare(sign)) while (isBare(text[place])) place++;
  } while (depth > 0 && place < text.length);
  return place;
}

function skipString(text: string, at: number): number {
  let place = at + 1;
  while (place < text.length && text[place] !== '"') place += text[place] === '\\' ? 2 : 1;
  return place + 1;
}

function isBare(sign: string | undefined): boolean {
  return sign !== undefined && !' \t\r\n,:"{}[]'.includes(sign);
}
