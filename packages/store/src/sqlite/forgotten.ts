// Which sessions were forgotten. Only a digest of the id is kept: enough to know one again, not enough to find it.

import { createHash } from 'node:crypto';
import type { Connection } from './connection.ts';

/** Inside a transaction that is open. */
export function noteForgotten({ raw }: Connection, sessionId: string, at: number): void {
  raw.prepare('INSERT OR REPLACE INTO forgotten (session_hash, at) VALUES (?, ?)').run(digest(sessionId), at);
}

/** The session is wanted again. Inside a transaction that is open. */
export function remember({ raw }: Connection, sessionId: string): void {
  raw.prepare('DELETE FROM forgotten WHERE session_hash = ?').run(digest(sessionId));
}

export function isForgotten({ raw }: Connection, sessionId: string): boolean {
  return raw.prepare('SELECT 1 FROM forgotten WHERE session_hash = ?').get(digest(sessionId)) !== undefined;
}

function digest(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('hex');
}
