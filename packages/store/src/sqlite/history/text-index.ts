// Texts and the full-text index over them. SQLite only parts the tokens at blanks: they are made by project/tokens.ts.

import type { TextRow } from '../../project/rows.ts';
import { tokensOf } from '../../project/tokens.ts';
import type { Connection } from '../connection.ts';
import { wholeOf } from './values.ts';

export interface IndexedText {
  readonly build: number;
  /** `streams.id`; 0 where it stands in no stream. */
  readonly streamId: number;
  readonly row: TextRow;
}

/** To be called in a transaction, all of it. */
export interface TextIndex {
  /**
   * Adds texts, of however many sessions. It should be the last thing in a transaction: many a statement makes the index write out
   * what it has gathered, and each time that is one more small piece to be merged later.
   */
  add(texts: readonly IndexedText[]): void;
  remove(build: number, numbers: readonly number[]): void;
  /** Takes some texts of a build out; says how many there were. */
  removeSome(build: number, limit: number): number;
}

/** So much of a text is looked through for words; the rest is kept and shown, but not found. */
export const INDEXED_CHARACTERS = 200_000;

/** Parts of words are found in words of at least this length; shorter ones are found by their beginning. */
const SHORTEST_TERM = 4;

/** So many texts can have one second as their time; the number is chosen so that ids are exact in JavaScript. */
const IDS_PER_SECOND: number = 2 ** 21;
const LAST_SECOND: number = 2 ** 32 - 2;
const KNOWN_TERMS = 100_000;

/** The first id that a text of this second can have. */
export function firstIdOf(time: number): number {
  const second = Number.isFinite(time) ? Math.floor(time / 1000) : 0;
  return Math.min(Math.max(second, 0), LAST_SECOND) * IDS_PER_SECOND;
}

export function createTextIndex({ raw }: Connection): TextIndex {
  const lastOf = raw
    .prepare<[number, number], number | null>('SELECT max(id) FROM texts WHERE id >= ? AND id < ?')
    .pluck();
  const insertText = raw.prepare(
    `INSERT INTO texts (id, build, number, kind, at, position, stream, line, message, message_id, tool_call_id, text)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertTokens = raw.prepare('INSERT INTO search (rowid, words, pieces, marks) VALUES (?, ?, ?, ?)');
  const insertTerm = raw.prepare('INSERT OR IGNORE INTO terms (term) VALUES (?)');
  const insertParts = raw.prepare('INSERT INTO term_parts (rowid, term) VALUES (?, ?)');
  const findText = raw.prepare<[number, number], number>('SELECT id FROM texts WHERE build = ? AND number = ?').pluck();
  const someTexts = raw.prepare<[number, number], number>('SELECT id FROM texts WHERE build = ? LIMIT ?').pluck();
  const deleteText = raw.prepare('DELETE FROM texts WHERE id = ?');
  const deleteTokens = raw.prepare('DELETE FROM search WHERE rowid = ?');
  /** Terms that are surely in the table. A transaction that fails may leave some here that are not: then it is emptied. */
  let known = new Set<string>();
  /** In another epoch something was forgotten, and its words with it. */
  const epochNow = raw.prepare<[], string>("SELECT value FROM meta WHERE key = 'epoch'").pluck();
  let epoch: string | undefined;

  function nextId({ at, arrivedAt }: TextRow, taken: Map<number, number>): number {
    for (let base = firstIdOf(at ?? arrivedAt); ; base += IDS_PER_SECOND) {
      const next = taken.get(base) ?? (lastOf.get(base, base + IDS_PER_SECOND) ?? base - 1) + 1;
      taken.set(base, next + 1);
      if (next < base + IDS_PER_SECOND) return next;
    }
  }

  function addTerms(words: Iterable<string>): void {
    for (const word of words) {
      if (word.length < SHORTEST_TERM || known.has(word)) continue;
      if (known.size >= KNOWN_TERMS) known = new Set();
      known.add(word);
      const { changes, lastInsertRowid } = insertTerm.run(word);
      if (changes > 0) insertParts.run(lastInsertRowid, word);
    }
  }

  function insertRow(id: number, build: number, streamId: number, row: TextRow): void {
    const { number, kind, at, position, line, message, messageId, toolCallId, text } = row;
    insertText.run(
      id,
      build,
      number,
      kind,
      wholeOf(at),
      position,
      streamId,
      line,
      message,
      messageId,
      toolCallId,
      text,
    );
  }

  function indexRow(id: number, build: number, { kind, text }: TextRow): void {
    const { words, pieces } = tokensOf(text.slice(0, INDEXED_CHARACTERS));
    insertTokens.run(id, words.join(' '), pieces.join(' '), `k${kind} b${build}`);
    addTerms(words);
    addTerms(pieces);
  }

  function removeText(id: number): void {
    deleteText.run(id);
    deleteTokens.run(id);
  }

  return {
    add(texts) {
      const now = epochNow.get();
      if (now !== epoch) known = new Set();
      epoch = now;
      const taken = new Map<number, number>();
      const all = texts.map((text) => ({ ...text, id: nextId(text.row, taken) }));
      // In the order of their ids: for each step back the index would write out what it has gathered.
      all.sort((a, b) => a.id - b.id);
      try {
        for (const { build, streamId, row, id } of all) insertRow(id, build, streamId, row);
        for (const { build, row, id } of all) indexRow(id, build, row);
      } catch (error) {
        known = new Set();
        throw error;
      }
    },
    remove(build, numbers) {
      for (const number of numbers) {
        const id = findText.get(build, number);
        if (id !== undefined) removeText(id);
      }
    },
    removeSome(build, limit) {
      const ids = someTexts.all(build, limit);
      for (const id of ids) removeText(id);
      return ids.length;
    },
  };
}
