// The same for a text that comes in pieces: what may be the beginning of a secret stays undecided until more has come.

import { BASE64, DOTTED, runEnd, TOKEN } from './characters.ts';
import { look } from './look.ts';
import type { FoundSecret } from './scan.ts';

export interface SecretScanner {
  /** What is now known to be secret, by its place in the whole text. */
  push(piece: string): readonly FoundSecret[];
  /** What the end decides. */
  end(): readonly FoundSecret[];
  /** Everything before this place is decided. */
  readonly safe: number;
}

/** So much may stay undecided. What is longer is taken for what it looks like, and with it all that goes on in the same way. */
export const MOST_UNDECIDED = 16_384;
/** So much of what was decided is looked at again: a name, and what stands between it and its value. */
const CONTEXT = 160;
/** More than this is not looked at again with each piece, but each time it has grown by an eighth. */
const MUCH = 1_024;

export function createSecretScanner(): SecretScanner {
  /** What was decided last, and all that is not. */
  let text = '';
  /** Where `text` begins in the whole, and how much of it is decided. */
  let offset = 0;
  let decided = 0;
  let lookAgainAt = 0;
  /** What a secret goes on with that was too long to wait for its end. */
  let swallowed: 'line' | 'lines' | undefined;

  function decide(isWhole: boolean): readonly FoundSecret[] {
    const found: FoundSecret[] = [];
    if (swallowed !== undefined) {
      const end = swallowEnd(text, decided, swallowed);
      if (end > decided) found.push({ kind: '', start: offset + decided, length: end - decided });
      decided = end;
      if (end < text.length || isWhole) swallowed = undefined;
      else return trim(found);
    }
    const result = look(text, isWhole);
    let { open } = result;
    let hits = result.found;
    if (text.length - open > MOST_UNDECIDED) {
      const forced = look(text, true);
      hits = forced.found;
      open = text.length;
      const last = hits.at(-1);
      if (last && last.start + last.length === open) swallowed = last.kind === 'private-key' ? 'lines' : 'line';
    }
    for (const { kind, start, length } of hits) {
      const from = Math.max(start, decided);
      if (start + length > from) found.push({ kind, start: offset + from, length: start + length - from });
    }
    decided = Math.max(decided, open);
    return trim(found);
  }

  /** Forgets what is too far back to matter; what stays begins with a whole word where there is one. */
  function trim(found: readonly FoundSecret[]): readonly FoundSecret[] {
    lookAgainAt = text.length - decided > MUCH ? text.length + ((text.length - decided) >> 3) : 0;
    if (decided > 3 * CONTEXT) {
      const from = runEnd(text, decided - CONTEXT, TOKEN, CONTEXT);
      text = text.slice(from);
      offset += from;
      decided -= from;
      if (lookAgainAt > 0) lookAgainAt -= from;
    }
    return found;
  }

  return {
    push(piece) {
      text += piece;
      return text.length < lookAgainAt ? [] : decide(false);
    },
    end: () => decide(true),
    get safe() {
      return offset + decided;
    },
  };
}

function swallowEnd(text: string, from: number, how: 'line' | 'lines'): number {
  let at = from;
  for (;;) {
    at = runEnd(text, at, TOKEN | DOTTED | BASE64);
    if (how === 'line' || !'\n\r\\ '.includes(text.charAt(at)) || at === text.length) return at;
    at++;
  }
}
