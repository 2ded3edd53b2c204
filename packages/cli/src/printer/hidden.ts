// Characters that mislead whoever reads a text, written out. In commands, paths and names that is every one that cannot be seen; in
// what a program printed, every one that is no part of an emoji; in prose only what turns or splits the text, because letters are
// joined by others.

import { revealHidden } from '@tailrace/core';
import { cleanText } from './clean.ts';

/** What turns the direction of writing by force, ends a line in an odd way, or says something that nobody sees. */
const TURNING = /[\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
/** What asks for the coloured form of a sign that has one, or joins two signs. */
const EMOJI_PART =
  /(?<=\p{Emoji})\ufe0f|(?<=\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic})/gu;
const ASCII = /^[\t\n -~]*$/;

/** Every character that hides is written out: for commands, paths and names. */
export function reveal(text: string): string {
  return ASCII.test(text) ? text : revealHidden(text);
}

/** Only what turns or splits the text is: for prose. */
export function showTurning(text: string): string {
  return ASCII.test(text) ? text : text.replace(TURNING, revealHidden);
}

/** Every one but those that make an emoji of what can be seen: for what a program printed. */
export function showPrinted(text: string): string {
  if (ASCII.test(text)) return text;
  let shown = '';
  let end = 0;
  for (const { 0: character, index } of text.matchAll(EMOJI_PART)) {
    shown += revealHidden(text.slice(end, index)) + character;
    end = index + character.length;
  }
  return shown + revealHidden(text.slice(end));
}

/** Without those parts: terminals do not agree on how wide a sign is with them. */
export function withoutEmojiParts(text: string): string {
  return ASCII.test(text) ? text : text.replace(EMOJI_PART, '');
}

/** A message, a path or a name in which nothing steers and nothing hides. Nobody looks for secrets in it. */
export function tellPlainly(text: string): string {
  return reveal(cleanText(text));
}
