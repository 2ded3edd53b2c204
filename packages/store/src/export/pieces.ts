// Secrets that are cut over several events or lines. Each waits until it is known whether what it holds is the beginning of one; then
// the part of it that is secret is left out, and the rest stays as it was.

import { createSecretScanner, type FoundSecret, replaceSecrets, type SecretScanner } from '@tailrace/core';

/** A piece of a text that goes on in other items with the same key. */
export interface Piece {
  readonly key: string;
  readonly text: string;
}

/** An item with its pieces as they may be shown, in their order. */
export interface Released<T> {
  readonly item: T;
  readonly shown: readonly string[];
}

export interface PieceQueue<T> {
  /** What may go on its way by now, in order. */
  add(item: T, pieces: readonly Piece[]): readonly Released<T>[];
  /** The text with this key is whole. */
  end(key: string): void;
  /** Everything is over. */
  close(): readonly Released<T>[];
}

/** So many items wait at most; then what they wait for is taken as it is. */
const MOST_WAITING = 10_000;

interface Text {
  readonly scanner: SecretScanner;
  length: number;
  found: FoundSecret[];
}

interface Waiting<T> {
  readonly item: T;
  readonly parts: readonly { readonly text: Text; readonly start: number; readonly piece: string }[];
}

export function createPieceQueue<T>(onFound: (found: FoundSecret) => void): PieceQueue<T> {
  const texts = new Map<string, Text>();
  let waiting: Waiting<T>[] = [];

  function note(text: Text, found: readonly FoundSecret[]): void {
    // What goes on with one that was too long to wait for has no kind of its own.
    for (const one of found) if (one.kind !== '') onFound(one);
    text.found.push(...found);
  }

  function finish(key: string): void {
    const text = texts.get(key);
    if (!text) return;
    texts.delete(key);
    note(text, text.scanner.end());
  }

  function release(): readonly Released<T>[] {
    let count = 0;
    const isDecided = ({ parts }: Waiting<T>): boolean =>
      parts.every(({ text, start, piece }) => start + piece.length <= text.scanner.safe);
    while (count < waiting.length) {
      const next = waiting[count];
      if (!next || !isDecided(next)) break;
      count++;
    }
    const released = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return released.map(({ item, parts }) => ({
      item,
      shown: parts.map(({ text, start, piece }) => {
        const found = text.found.map((one) => ({ ...one, start: one.start - start }));
        // What lies behind is of no use to later pieces.
        text.found = text.found.filter((one) => one.start + one.length > start + piece.length);
        return replaceSecrets(piece, 0, piece.length, found);
      }),
    }));
  }

  return {
    add(item, pieces) {
      const parts = pieces.map(({ key, text: piece }) => {
        let text = texts.get(key);
        if (!text) {
          text = { scanner: createSecretScanner(), length: 0, found: [] };
          texts.set(key, text);
        }
        const start = text.length;
        text.length += piece.length;
        note(text, text.scanner.push(piece));
        return { text, start, piece };
      });
      waiting.push({ item, parts });
      if (waiting.length > MOST_WAITING) for (const key of [...texts.keys()]) finish(key);
      return release();
    },
    end: finish,
    close() {
      for (const key of [...texts.keys()]) finish(key);
      return release();
    },
  };
}
