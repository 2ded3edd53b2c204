// Keys as words. Several may come at once: from a fast hand, from a paste, over a slow line.

import type { useInput } from 'ink';

/** A character, or the name of a key in brackets. */
export type KeyName = string;

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
  '\n': '<enter>',
  '\t': '<tab>',
  '\u007f': '<backspace>',
  '\b': '<backspace>',
  '\u001b': '<escape>',
};

/** What was pressed, one after the other. */
export function keysOf(input: string, key: InkKey): readonly KeyName[] {
  const named = NAMED.find(([name]) => key[name] === true);
  if (named) return [named[1]];
  if (key.ctrl) return [`<ctrl-${input}>`];
  const keys: KeyName[] = [];
  for (const character of input) {
    const name = CONTROLS[character];
    if (name !== undefined) keys.push(name);
    // What else steers is nothing that anybody types.
    else if (character >= ' ') keys.push(character);
  }
  return keys;
}

/** What a key does to a line that is typed; nothing where it is no key of a line. */
export function typed(text: string, key: KeyName): string | undefined {
  if (key === '<backspace>') return [...text].slice(0, -1).join('');
  if (key === '<ctrl-u>') return '';
  if (key === '<ctrl-w>') return text.trimEnd().split(' ').slice(0, -1).join(' ');
  return key.length > 0 && !(key.startsWith('<') && key.length > 1) ? text + key : undefined;
}
