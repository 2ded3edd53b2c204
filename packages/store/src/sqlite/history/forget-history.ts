// Takes what was made of a session out of the file: also its words out of the index, which would tell them to whoever looks.

import { tokensOf } from '../../project/tokens.ts';
import type { Connection } from '../connection.ts';
import { forgetLabels } from './labels.ts';
import { noteScrub } from './scrub-search.ts';
import { forgetTellings } from './tellings.ts';
import { INDEXED_CHARACTERS } from './text-index.ts';
import { createRowWriter } from './write-rows.ts';

/**
 * Forgets a session: rows, words, labels and totals. To be called in a transaction, when its lines are gone. The words leave the
 * file with `scrubSearch`, behind the transaction.
 */
export function forgetHistory(connection: Connection, sessionId: string): void {
  const { raw } = connection;
  const rows = createRowWriter(connection, '');
  const words = new Set<string>();
  rows.drop(sessionId);
  // Also what is left of it from before, or is just being made.
  const texts = raw
    .prepare<[string], string>('SELECT t.text FROM old_builds o JOIN texts t ON t.build = o.build WHERE o.session = ?')
    .pluck()
    .iterate(sessionId);
  for (const text of texts) {
    const tokens = tokensOf(text.slice(0, INDEXED_CHARACTERS));
    for (const word of [...tokens.words, ...tokens.pieces]) words.add(word);
  }
  while (rows.sweep(sessionId));
  forgetLabels(raw, sessionId);
  forgetTellings(connection, sessionId);
  raw.prepare('DELETE FROM projected_streams WHERE session = ?').run(sessionId);
  raw.prepare('DELETE FROM session_metadata WHERE session_id = ?').run(sessionId);
  raw.prepare('DELETE FROM session_runs WHERE session_id = ?').run(sessionId);
  if (words.size === 0) return;
  forgetWords(connection, words);
  noteScrub(connection);
}

/** Words that no other text has are no longer told as parts of words. */
function forgetWords({ raw }: Connection, words: ReadonlySet<string>): void {
  const isUsed = raw.prepare<[string]>('SELECT 1 FROM search WHERE search MATCH ? LIMIT 1');
  const find = raw.prepare<[string], number>('SELECT id FROM terms WHERE term = ?').pluck();
  const dropTerm = raw.prepare('DELETE FROM terms WHERE id = ?');
  const dropParts = raw.prepare('DELETE FROM term_parts WHERE rowid = ?');
  for (const word of words) {
    const id = find.get(word);
    if (id === undefined || isUsed.get(`{words pieces} : "${word}"`)) continue;
    dropTerm.run(id);
    dropParts.run(id);
  }
}
