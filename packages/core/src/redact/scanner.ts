// The same for a text that comes in pieces: what may be the beginning of a secret stays undecided until more has come.

import { BASE64, DOTTED, isAt, runEnd, TOKEN } from './characters.ts';
import { look } from './look.ts';
import { type FoundSecret, scan } from './scan.ts';

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
/** As many words of what was decided are looked at again as can stand before a secret and tell that it is one, at most so long. */
const CONTEXT_WORDS = 6;
/** An escape in the middle of a word makes several of it. */
const ESCAPED_WORDS = 12;
const LONGEST_WORD = 80;
const LONGEST_GAP = 12;
/** More than this is not looked at again with each piece, but each time it has grown by an eighth. */
const MUCH = 1_024;

/** Looks for secrets in a text that comes in pieces. */
export function createSecretScanner(): SecretScanner {
  /** What was decided last, and all that is not. */
  let text = '';
  /** Where `text` begins in the whole, and how much of it is decided. */
  let offset = 0;
  let decided = 0;
  let lookAgainAt = 0;
  /** Whether there is a backslash or an ESC in `text`: hardly any has one, and without it there is nothing to be read as anything else. */
  let isEscaped = false;
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
    const result = isEscaped ? look(text, isWhole) : scan(text, isWhole);
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

  /** Forgets what is too far back to matter. */
  function trim(found: readonly FoundSecret[]): readonly FoundSecret[] {
    const from = contextStart(text, decided, isEscaped ? ESCAPED_WORDS : CONTEXT_WORDS);
    if (from > 0) {
      text = text.slice(from);
      isEscaped &&= hasEscape(text);
      offset += from;
      decided -= from;
    }
    const undecided = text.length - decided;
    lookAgainAt = undecided > MUCH ? text.length + (undecided >> 3) : 0;
    return found;
  }

  return {
    push(piece) {
      text += piece;
      isEscaped ||= hasEscape(piece);
      return text.length < lookAgainAt ? [] : decide(false);
    },
    end: () => decide(true),
    get safe() {
      return offset + decided;
    },
  };
}

function hasEscape(text: string): boolean {
  return text.includes('\\') || text.includes('\u001b');
}

/** Where the words begin that may say what comes next: `Authorization: Bearer `, `curl -u name:`, `"token": "`. */
function contextStart(text: string, end: number, most: number): number {
  let at = end;
  for (let words = 0; words < most && at > 0; words++) {
    const gap = at;
    while (at > 0 && gap - at < LONGEST_GAP && !isAt(text, at - 1, DOTTED)) at--;
    const word = at;
    while (at > 0 && word - at < LONGEST_WORD && isAt(text, at - 1, DOTTED)) at--;
  }
  return at;
}

function swallowEnd(text: string, from: number, how: 'line' | 'lines'): number {
  let at = from;
  for (;;) {
    at = runEnd(text, at, TOKEN | DOTTED | BASE64);
    if (how === 'line' || !'\n\r\\ '.includes(text.charAt(at)) || at === text.length) return at;
    at++;
  }
}
