// What people say about sessions: names, stars, tags. It is their own, so nothing here is ever made anew.

import type BetterSqlite3 from 'better-sqlite3';
import type { Labels } from '../../contract.ts';

/** A tag or a name as it is kept: no blanks around it. */
const clean = (text: string): string => text.trim();

/** To be called in a transaction, like the others here. */
export function writeLabels(raw: BetterSqlite3.Database, sessionId: string, labels: Labels): void {
  raw.prepare('INSERT OR IGNORE INTO labels (session_id) VALUES (?)').run(sessionId);
  if (labels.name !== undefined) {
    const name = labels.name === null ? null : clean(labels.name) || null;
    raw.prepare('UPDATE labels SET name = ? WHERE session_id = ?').run(name, sessionId);
  }
  if (labels.starred !== undefined) {
    raw.prepare('UPDATE labels SET starred = ? WHERE session_id = ?').run(labels.starred ? 1 : 0, sessionId);
  }
  const add = raw.prepare('INSERT OR IGNORE INTO tags (session_id, tag) VALUES (?, ?)');
  const remove = raw.prepare('DELETE FROM tags WHERE session_id = ? AND tag = ?');
  for (const tag of labels.addTags ?? []) if (clean(tag) !== '') add.run(sessionId, clean(tag));
  for (const tag of labels.removeTags ?? []) remove.run(sessionId, clean(tag));
}

/** The session has got its real id: what was said about it before goes with it, where nothing else was said. */
export function moveLabels(raw: BetterSqlite3.Database, from: string, to: string): void {
  raw
    .prepare(
      `INSERT INTO labels (session_id, name, starred) SELECT ?, name, starred FROM labels WHERE session_id = ?
       ON CONFLICT (session_id) DO UPDATE SET name = coalesce(name, excluded.name), starred = max(starred, excluded.starred)`,
    )
    .run(to, from);
  raw
    .prepare('INSERT OR IGNORE INTO tags (session_id, tag) SELECT ?, tag FROM tags WHERE session_id = ?')
    .run(to, from);
  forgetLabels(raw, from);
}

export function forgetLabels(raw: BetterSqlite3.Database, sessionId: string): void {
  raw.prepare('DELETE FROM labels WHERE session_id = ?').run(sessionId);
  raw.prepare('DELETE FROM tags WHERE session_id = ?').run(sessionId);
}
