// Keys as words. Several may come at once: from a fast hand, from a paste, over a slow line.

import type { useInput } from 'ink';
import { cleanText } from '../printer/clean.ts';

/** A character, or the name of a key in brackets. What was pasted is one key: `<paste>` and the text. */
export type KeyName = string;

const PASTE = '<paste>';

type InkKey = Parameters<Parameters<typeof useInput>[0]>[1];

const NAMED: readonly (readonly [keyof InkKey, KeyName])[] = [
  ['upArrow', '<up>'],
  ['downArrow', '<down>'],
  ['leftArrow', '<left>'],
  ['rightArrow', '<right>'],
  ['pageUp', '<page-up>'],
  ['pageDown', '<page-down>'],
  ['home', '<home>'],
  ['end', '<end>'],
  ['return', '<enter>'],
  ['tab', '<tab>'],
  ['backspace', '<backspace>'],
  ['delete', '<backspace>'],
  ['escape', '<escape>'],
];

const CONTROLS: Readonly<Record<string, KeyName>> = {
  '\r': '<enter>',
  '\n': '<newline>',
  '\t': '<tab>',
  '\u007f': '<backspace>',
  '\b': '<backspace>',
  '\u001b': '<escape>',
};

/** What was pressed, one after the other. */
export function keysOf(input: string, key: InkKey): readonly KeyName[] {
  if (key.return && (key.meta || key.shift)) return ['<newline>'];
  if (key.tab && key.shift) return ['<shift-tab>'];
  if (key.ctrl && (key.leftArrow || key.rightArrow)) return [key.leftArrow ? '<alt-b>' : '<alt-f>'];
  const named = NAMED.find(([name]) => key[name] === true);
  if (named) return [named[1]];
  if (key.ctrl) return [`<ctrl-${input}>`];
  if (key.meta && input.length === 1) return [`<alt-${input}>`];
  const keys: KeyName[] = [];
  for (const character of input) {
    const name = CONTROLS[character];
    if (name !== undefined) keys.push(name);
    // What else steers is nothing that anybody types.
    else if (character >= ' ') keys.push(character);
  }
  return keys;
}

/** What a terminal puts around a paste, as ink tells it. */
const PASTE_BEGIN = '[200~';
const PASTE_END = '[201~';
/** More is no message any more. */
const LONGEST_PASTE = 1_000_000;

/** Reads keys; what is pasted is kept together, so that a line feed in it is none of the person's. */
export function createKeyReader(): (input: string, key: InkKey) => readonly KeyName[] {
  let pasted: string | undefined;
  return (input, key) => {
    if (input === PASTE_BEGIN) {
      pasted = '';
      return [];
    }
    if (pasted === undefined) return keysOf(input, key);
    // Somebody waits for an end that never comes.
    if (key.ctrl && input === 'c') {
      pasted = undefined;
      return ['<ctrl-c>'];
    }
    if (input === PASTE_END) {
      const text = pasted.slice(0, LONGEST_PASTE);
      pasted = undefined;
      return [`${PASTE}${cleanText(text.replaceAll('\r\n', '\n').replaceAll('\r', '\n'))}`];
    }
    if (pasted.length < LONGEST_PASTE) pasted += key.return ? '\n' : key.tab ? '\t' : input;
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
