// Keys as words. Several may come at once: from a fast hand, from a paste, over a slow line. What a terminal sends is read here and
// not by ink, which falls over keys that it does not know.

import { cleanText } from '../printer/clean.ts';

/** A character, or the name of a key in brackets. What was pasted is one key: `<paste>` and the text. */
export type KeyName = string;

const PASTE = '<paste>';

/** What follows `ESC [` or `ESC O`. */
const SEQUENCES: Readonly<Record<string, KeyName>> = {
  A: '<up>',
  B: '<down>',
  C: '<right>',
  D: '<left>',
  H: '<home>',
  F: '<end>',
  Z: '<shift-tab>',
  '1~': '<home>',
  '7~': '<home>',
  '4~': '<end>',
  '8~': '<end>',
  '3~': '<delete>',
  '5~': '<page-up>',
  '6~': '<page-down>',
  // With Ctrl or Alt, by words.
  '1;5D': '<alt-b>',
  '1;3D': '<alt-b>',
  '1;5C': '<alt-f>',
  '1;3C': '<alt-f>',
  // Enter with another key, as far as terminals tell it apart.
  '13;2u': '<newline>',
  '13;3u': '<newline>',
  '27;2;13~': '<newline>',
  '27;3;13~': '<newline>',
};

const CONTROLS: Readonly<Record<string, KeyName>> = {
  '\r': '<enter>',
  '\n': '<newline>',
  '\t': '<tab>',
  '\u007f': '<backspace>',
  '\b': '<backspace>',
  '\u001b': '<escape>',
};

const ESCAPE = '\u001b';

/** What was pressed, one after the other: a sequence of the terminal, or characters. */
export function keysOf(input: string): readonly KeyName[] {
  if (input.startsWith(ESCAPE) && input.length > 1) return escapedKeys(input.slice(1));
  return [...input].flatMap(keyOf);
}

function escapedKeys(rest: string): readonly KeyName[] {
  if ((rest.startsWith('[') || rest.startsWith('O')) && rest.length > 1) {
    const name = SEQUENCES[rest.slice(1)];
    // Of others nobody knows what they mean.
    return name === undefined ? [] : [name];
  }
  if (rest === '\r' || rest === '\n') return ['<newline>'];
  if (rest === '\u007f' || rest === '\b') return ['<ctrl-w>'];
  return rest >= ' ' && [...rest].length === 1 ? [`<alt-${rest}>`] : keyOf(ESCAPE);
}

function keyOf(character: string): readonly KeyName[] {
  const named = CONTROLS[character];
  if (named !== undefined) return [named];
  const code = character.charCodeAt(0);
  if (code > 0 && code <= 26) return [`<ctrl-${String.fromCharCode(code + 96)}>`];
  // What else steers is nothing that anybody types.
  return code < 0x20 || (code >= 0x7f && code < 0xa0) ? [] : [character];
}

/** What a terminal puts around a paste. */
const PASTE_BEGIN = `${ESCAPE}[200~`;
const PASTE_END = `${ESCAPE}[201~`;
/** More is no message any more. */
const LONGEST_PASTE = 1_000_000;

/** Reads keys; what is pasted is kept together, so that a line feed in it is none of the person's. */
export function createKeyReader(): (input: string) => readonly KeyName[] {
  let pasted: string | undefined;
  return (input) => {
    if (input === PASTE_BEGIN) {
      pasted = '';
      return [];
    }
    if (pasted === undefined) return keysOf(input);
    // Somebody waits for an end that never comes.
    if (input === '\u0003') {
      pasted = undefined;
      return ['<ctrl-c>'];
    }
    if (input === PASTE_END) {
      const text = pasted.slice(0, LONGEST_PASTE);
      pasted = undefined;
      return [`${PASTE}${cleanText(text.replaceAll('\r\n', '\n').replaceAll('\r', '\n'))}`];
    }
    if (pasted.length < LONGEST_PASTE) pasted += input;
    return [];
  };
}

/** The text that a key is: a character, or what was pasted. */
export function textOfKey(key: KeyName): string | undefined {
  if (key.startsWith(PASTE)) return key.slice(PASTE.length);
  return key === '' || (key.startsWith('<') && key.length > 1) ? undefined : key;
}

/** What a key does to a line that is typed; nothing where it is no key of a line. */
export function typed(text: string, key: KeyName): string | undefined {
  if (key === '<backspace>') return [...text].slice(0, -1).join('');
  if (key === '<ctrl-u>') return '';
  if (key === '<ctrl-w>') return text.trimEnd().split(' ').slice(0, -1).join(' ');
  const more = textOfKey(key);
  return more === undefined ? undefined : text + more.replaceAll('\n', ' ');
}
