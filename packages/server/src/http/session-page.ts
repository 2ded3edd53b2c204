// The list of sessions in pages. Sessions move to its beginning while they go on, so a page begins behind the last one of the page
// before, wherever that stands by now: nothing that has not moved is told twice or left out.

import { PAGE_ITEMS, type Page, type SessionQuery } from '@tailrace/protocol';
import type { History, SessionFilter, SessionRow } from '@tailrace/store';
import { z } from 'zod';
import { ProblemError } from '../problem-error.ts';
import { PIECE_ROWS } from './limits.ts';

/** The rows of a page. `isWanted` is asked about what the store cannot look for. */
export async function pageSessions(
  history: History,
  query: SessionQuery,
  isWanted: (row: SessionRow) => boolean,
): Promise<Page<SessionRow>> {
  const { cursor, limit = PAGE_ITEMS } = query;
  const filter = filterOf(query);
  const after = cursor === undefined ? undefined : decodePlace(cursor);
  let offset = after ? await offsetOf(history, filter, after) : 0;
  const items: SessionRow[] = [];
  let last = 0;
  for (;;) {
    const piece = await history.sessions({ ...filter, limit: PIECE_ROWS, offset });
    for (const [index, row] of piece.entries()) {
      if ((after && !isBehind(row, after)) || !isWanted(row)) continue;
      const end = items.at(-1);
      if (end && items.length === limit) return { items, next: encodePlace(end, last) };
      items.push(row);
      last = offset + index;
    }
    if (piece.length < PIECE_ROWS) return { items, next: null };
    offset += piece.length;
  }
}

/** The last session of a page, and where in the list it stood. */
interface Place {
  readonly endedAt: number | null;
  readonly id: string;
  readonly offset: number;
}

const place = z.tuple([z.number().nullable(), z.string(), z.number().int().nonnegative().max(1e9)]);

function encodePlace({ endedAt, id }: SessionRow, offset: number): string {
  return Buffer.from(JSON.stringify([endedAt, id, offset])).toString('base64url');
}

function decodePlace(text: string): Place {
  try {
    const [endedAt, id, offset] = place.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { endedAt, id, offset };
  } catch (error) {
    throw new ProblemError('bad-request', 'cursor: this is none', { cause: error });
  }
}

/** Where to go on: at the same place when it still stands there, else all of the list is looked at again. */
async function offsetOf(history: History, filter: SessionFilter, { id, offset }: Place): Promise<number> {
  const [row] = await history.sessions({ ...filter, limit: 1, offset });
  return row?.id === id ? offset : 0;
}

/** The order of the store: those that were last active first, those without a time last. */
function isBehind({ endedAt, id }: SessionRow, after: Place): boolean {
  if (endedAt === after.endedAt) return id > after.id;
  return endedAt === null || (after.endedAt !== null && endedAt < after.endedAt);
}

function filterOf({ model, agent, status, tag, starred, since, until }: SessionQuery): SessionFilter {
  return { model, agent, status, tag, starred, since, until };
}
