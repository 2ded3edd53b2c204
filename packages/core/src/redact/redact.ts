// Takes secrets out of a text. What is found, and how, is in scan.ts.

import { look } from './look.ts';
import type { FoundSecret } from './scan.ts';
import { createSecretScanner } from './scanner.ts';

export interface Redacted {
  readonly text: string;
  /** What was taken out: its kind, and where it was in the text that was given. */
  readonly found: readonly FoundSecret[];
}

/**
 * The text with a mark such as `[redacted: github-token, 40 characters]` in place of each secret. Whoever shows only the beginning of it
 * says up to where: secrets that begin behind that may be left.
 */
export function redact(text: string, upTo?: number): Redacted {
  const { found } = look(text, true, upTo);
  return found.length === 0 ? { text, found } : { text: replaceSecrets(text, 0, text.length, found), found };
}

/** What stands where a secret was. */
export function redactionMark(kind: string, length: number): string {
  return `[redacted: ${kind}, ${length} characters]`;
}

/** A part of a text without its secrets. One that begins before the part was marked there, so here it is only left out. */
export function replaceSecrets(text: string, from: number, to: number, found: readonly FoundSecret[]): string {
  let shown = '';
  let last = from;
  for (const { kind, start, length } of found) {
    if (start + length <= last || start >= to) continue;
    // Without a kind it goes on with what was marked before.
    if (start >= last) shown += text.slice(last, start) + (kind === '' ? '' : redactionMark(kind, length));
    last = Math.min(to, start + length);
  }
  return shown + text.slice(last, to);
}

/** Takes secrets out of a text that comes in pieces. */
export interface Redactor {
  /** What can be shown by now: all but the beginning of what may be a secret. */
  push(piece: string): string;
  /** The rest. The next piece begins another text. */
  flush(): string;
}

export function createRedactor(onFound?: (found: FoundSecret) => void): Redactor {
  let scanner = createSecretScanner();
  let pending = '';
  /** Where `pending` begins in the whole text. */
  let shownTo = 0;

  function take(found: readonly FoundSecret[]): string {
    for (const one of found) onFound?.(one);
    const upTo = scanner.safe - shownTo;
    const here = found.map(({ kind, start, length }) => ({ kind, start: start - shownTo, length }));
    const shown = here.length === 0 ? pending.slice(0, upTo) : replaceSecrets(pending, 0, upTo, here);
    pending = pending.slice(upTo);
    shownTo += upTo;
    return shown;
  }

  return {
    push(piece) {
      const found = scanner.push(piece);
      // The ordinary case: nothing waited, and nothing has to.
      if (found.length === 0 && pending === '' && scanner.safe === shownTo + piece.length) {
        shownTo = scanner.safe;
        return piece;
      }
      pending += piece;
      return take(found);
    },
    flush() {
      const shown = take(scanner.end());
      scanner = createSecretScanner();
      pending = '';
      shownTo = 0;
      return shown;
    },
  };
}
