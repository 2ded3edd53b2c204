// What stands behind the question mark of an address: all of it is text, until one of these has looked at it.

import { z } from 'zod';
import { MAX_LABEL_LENGTH, MAX_PAGE_ITEMS } from '../limits.ts';

/** A list in pieces. */
export interface Page<T> {
  readonly items: readonly T[];
  /** What to ask for as `cursor` to get the next piece; null at the end. */
  readonly next: string | null;
}

export function pageOf<T>(item: z.ZodType<T>): z.ZodType<Page<T>> {
  return z.object({ items: z.array(item), next: z.string().nullable() });
}

/** A whole number that is not negative. Only digits: `1e3`, ` 1` and an empty text are none. */
export const count: z.ZodType<number> = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

/** How much of a list is wanted. */
export const limit: z.ZodType<number> = z
  .string()
  .regex(/^[1-9]\d{0,3}$/)
  .transform(Number)
  .refine((wanted) => wanted <= MAX_PAGE_ITEMS, `at most ${MAX_PAGE_ITEMS}`);

export const flag: z.ZodType<boolean> = z.enum(['true', 'false']).transform((text) => text === 'true');

/** What a person or an agent calls something. */
export const word: z.ZodType<string> = z.string().min(1).max(MAX_LABEL_LENGTH);

export interface PageQuery {
  readonly limit?: number | undefined;
  /** The `next` of the page before. */
  readonly cursor?: string | undefined;
}

export const pageQuery: z.ZodType<PageQuery> = z.object({ limit: limit.optional(), cursor: word.optional() });
