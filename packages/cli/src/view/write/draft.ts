// A text that is being written, and where in it: what each key makes of it. Pure; places are between what people see as characters.

import { type KeyName, textOfKey } from '../keys.ts';

export interface Draft {
  readonly text: string;
  /** Where the next character goes. */
  readonly at: number;
}

export const EMPTY: Draft = { text: '', at: 0 };

/** A text that is there already, to be gone on with at its end. */
export function draftOf(text: string): Draft {
  return { text, at: text.length };
}

/** What a key makes of it; nothing where it is no key of a text. Up and down need rows: see `draft-rows.ts`. */
export function edited({ text, at }: Draft, key: KeyName): Draft | undefined {
  const cut = (from: number, to: number): Draft => ({ text: text.slice(0, from) + text.slice(to), at: from });
  switch (key) {
    case '<newline>':
      return inserted('\n');
    case '<left>':
    case '<ctrl-b>':
      return { text, at: before(text, at) };
    case '<right>':
    case '<ctrl-f>':
      return { text, at: after(text, at) };
    case '<home>':
    case '<ctrl-a>':
      return { text, at: lineStart(text, at) };
    case '<end>':
    case '<ctrl-e>':
      return { text, at: lineEnd(text, at) };
    case '<alt-b>':
      return { text, at: wordStart(text, at) };
    case '<alt-f>':
      return { text, at: wordEnd(text, at) };
    case '<backspace>':
      return cut(before(text, at), at);
    case '<delete>':
    case '<ctrl-d>':
      return { ...cut(at, after(text, at)), at };
    case '<ctrl-w>':
      return cut(wordStart(text, at), at);
    case '<ctrl-u>':
      return cut(lineStart(text, at), at);
    case '<ctrl-k>':
      // At the end of a line it is the line feed that goes.
      return { ...cut(at, lineEnd(text, at) === at ? after(text, at) : lineEnd(text, at)), at };
    default: {
      const more = textOfKey(key);
      return more === undefined ? undefined : inserted(more);
    }
  }

  function inserted(more: string): Draft {
    return { text: text.slice(0, at) + more + text.slice(at), at: at + more.length };
  }
}

const segmenter = new Intl.Segmenter();

/** As far as one character reaches back at most; nobody writes a longer one. */
const NEAR = 64;

function before(text: string, at: number): number {
  const from = Math.max(0, at - NEAR);
  const last = [...segmenter.segment(text.slice(from, at))].at(-1);
  return last ? from + last.index : 0;
}

function after(text: string, at: number): number {
  const [first] = segmenter.segment(text.slice(at, at + NEAR));
  return at + (first?.segment.length ?? 0);
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function isRoom(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || character === '\t';
}

function wordStart(text: string, at: number): number {
  let from = at;
  while (from > 0 && isRoom(text[from - 1])) from--;
  while (from > 0 && !isRoom(text[from - 1])) from--;
  return from;
}

function wordEnd(text: string, at: number): number {
  let to = at;
  while (to < text.length && isRoom(text[to])) to++;
  while (to < text.length && !isRoom(text[to])) to++;
  return to;
}
