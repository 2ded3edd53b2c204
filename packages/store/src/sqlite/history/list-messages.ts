// What was said in a session, in the order of the conversation.

import type { StoredMessage } from '../../contract.ts';
import type { Connection } from '../connection.ts';

interface Row extends Omit<StoredMessage, 'text'> {
  readonly build: number;
  readonly number: number;
  readonly place: number;
}

/** Prompts and answers; an answer that only made calls has no text. */
export function listMessages({ raw }: Connection, id: string): readonly StoredMessage[] {
  const rows = raw
    .prepare<[string], Row>(
      `SELECT m.build, m.number, m.id, m.role, m.subagent_id AS subagentId, m.model, m.at, m.place, m.position
       FROM messages m JOIN sessions s ON s.build = m.build WHERE s.id = ?`,
    )
    .all(id);
  const texts = textsOf(raw, rows[0]?.build);
  // An answer of which nobody told the time, with nothing timed before it, came after the first prompt.
  const first = rows.reduce((least, { role, place }) => (role === 'user' ? Math.min(least, place) : least), Infinity);
  const placeOf = ({ role, place }: Row): number =>
    role === 'agent' && place === 0 && Number.isFinite(first) ? first + 0.25 : place;
  return [...rows]
    .sort((a, b) => placeOf(a) - placeOf(b) || rankOf(a) - rankOf(b) || a.number - b.number)
    .map(({ build: _build, number, place: _place, ...row }) => ({
      ...row,
      text: texts.get(number)?.join('\n\n') ?? '',
    }));
}

/** A prompt comes before the answer, also within one millisecond. */
function rankOf({ role }: Row): number {
  return role === 'user' ? 0 : 1;
}

function textsOf(raw: Connection['raw'], build: number | undefined): ReadonlyMap<number, readonly string[]> {
  const texts = new Map<number, string[]>();
  const parts = raw
    .prepare<[number], { message: number; text: string }>(
      'SELECT message, text FROM texts WHERE build = ? AND message IS NOT NULL ORDER BY number',
    )
    .all(build ?? -1);
  for (const { message, text } of parts) {
    const before = texts.get(message);
    if (before) before.push(text);
    else texts.set(message, [text]);
  }
  return texts;
}
