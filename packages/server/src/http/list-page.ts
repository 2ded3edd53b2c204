// A page of a list that only grows at its end.

import { decodeCursor, encodeCursor, PAGE_ITEMS, type Page, type PageQuery } from '@tailrace/protocol';
import { ProblemError } from '../problem-error.ts';

/** The items behind a cursor. The cursor is worth nothing in another epoch, where the list may be another. */
export function listPage<T>(all: readonly T[], epoch: string, { cursor, limit = PAGE_ITEMS }: PageQuery): Page<T> {
  const start = cursor === undefined ? 0 : startOf(cursor, epoch);
  const end = start + limit;
  return {
    items: all.slice(start, end),
    next: end < all.length ? encodeCursor({ epoch, position: end }) : null,
  };
}

function startOf(text: string, epoch: string): number {
  const cursor = decodeCursor(text);
  if (!cursor || !Number.isSafeInteger(cursor.position)) throw new ProblemError('bad-request', 'cursor: this is none');
  if (cursor.epoch !== epoch) throw new ProblemError('conflict', 'the list is another one now: begin anew');
  return cursor.position;
}
