// Finding words in what was said and done.

import { z } from 'zod';
import { MAX_SEARCH_LENGTH } from '../limits.ts';
import { count, limit, word } from './query.ts';

const KINDS = ['prompt', 'answer', 'command', 'path', 'title'] as const;
export type FoundKind = (typeof KINDS)[number];

export interface SearchQuery {
  /** The words; all of them have to occur. */
  readonly q: string;
  /** The id of a session: only in that one. */
  readonly session?: string | undefined;
  readonly kind?: FoundKind | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly limit?: number | undefined;
}

export const searchQuery: z.ZodType<SearchQuery> = z.object({
  q: z.string().min(1).max(MAX_SEARCH_LENGTH),
  session: word.optional(),
  kind: z.enum(KINDS).optional(),
  since: count.optional(),
  until: count.optional(),
  limit: limit.optional(),
});

/** A place where the words were found. */
export interface FoundPlace {
  readonly sessionId: string;
  /** The session's title, and the name of its folder. */
  readonly title: string | null;
  readonly project: string | null;
  readonly kind: FoundKind;
  /** The words around it; `ranges` are the places of what was looked for, in UTF-16 units. */
  readonly snippet: string;
  readonly ranges: readonly (readonly [number, number])[];
  /** Higher is better; 0 when there are too many to rank and the newest come first. */
  readonly score: number;
  readonly at: number | null;
  /** The line that it is in, counted over all streams. */
  readonly position: number;
  readonly messageId: string | null;
  readonly toolCallId: string | null;
}

/** The best first. */
export interface Found {
  readonly items: readonly FoundPlace[];
}

export const found: z.ZodType<Found> = z.object({
  items: z.array(
    z.object({
      sessionId: z.string(),
      title: z.string().nullable(),
      project: z.string().nullable(),
      kind: z.enum(KINDS),
      snippet: z.string(),
      ranges: z.array(z.tuple([z.number(), z.number()])),
      score: z.number(),
      at: z.number().nullable(),
      position: z.number().nonnegative(),
      messageId: z.string().nullable(),
      toolCallId: z.string().nullable(),
    }),
  ),
});
