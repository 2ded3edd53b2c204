// The one way from somebody's text to the view (T-18, T-19, T-28): what steers a terminal goes, then what is secret, and what hides is
// written out.

import { redact, revealHidden } from '@tailrace/core';
import { cleanText } from '../../printer/clean.ts';
import { createGate } from '../../printer/gate.ts';
import { withoutEmojiParts } from '../../printer/hidden.ts';

const gate = createGate();
const TAB = '    ';

/** A command, a path, a name, an input: what would steer the terminal is written out with the rest, as the printer does it. */
export function exact(text: string): string {
  const clean = cleanText(text);
  const safe = redact(clean).text;
  // Where a secret stands, it is shown as it was looked through: nothing in between may hide it.
  return revealHidden(safe === clean ? text : safe).replaceAll('\t', TAB);
}

/**
 * What was printed or said: its colours and the like are left out. So is what asks for a coloured sign or joins two of them: it hides
 * nothing, and terminals do not agree on how wide a sign is with it.
 */
export function shown(text: string): string {
  return revealHidden(gate.text(withoutEmojiParts(text))).replaceAll('\t', TAB);
}

/** The beginning of a command, a path or a name, on one line. */
export function shownLine(text: string): string {
  return exact(text.slice(0, LONGEST_LINE)).replaceAll('\n', ' ');
}

/** The beginning of what is said, on one line. */
export function saidLine(text: string): string {
  return shown(text.slice(0, LONGEST_LINE)).replaceAll('\n', ' ');
}

/** More does not go on any line; a secret that begins in it is known for what it is. */
const LONGEST_LINE = 4_000;

/** What is said in sentences: what joins or parts letters in scripts that are written so is no secret message either. */
export function prose(text: string): string {
  return shown(ASCII.test(text) ? text : text.replace(WRITTEN, ''));
}

const ASCII = /^[\t\n -~]*$/;
/** Between letters of scripts in which it tells how they are written. */
const WRITTEN =
  /(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Sinhala}\p{Script=Malayalam}\p{Script=Kannada}\p{Script=Telugu}])[\u{200c}\u{200d}](?=\p{L})/gu;

/** What waits for an approval: whole, secrets included, and with nothing left out that steers; it is written out (T-20). */
export function approvable(text: string): string {
  return revealHidden(text).replaceAll('\t', '\\t');
}

/** Words of our own machine: paths, messages of errors. */
export function own(text: string): string {
  return revealHidden(cleanText(text)).replaceAll('\n', ' ').replaceAll('\t', TAB);
}
