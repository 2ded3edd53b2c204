// How a server is doing.

import { z } from 'zod';
import { PROBLEM_CODES, type ProblemCode } from '../problem.ts';

export interface Health {
  /** The server's own version. */
  readonly version: string;
  readonly protocol: number;
  /** Null when the store cannot tell it. */
  readonly epoch: string | null;
  readonly store: StoreHealth;
  /** How far those who listen have been told, counted over all streams; null when nobody follows. */
  readonly feedPosition: number | null;
}

export type StoreHealth =
  | {
      readonly status: 'ok';
      readonly fileBytes: number;
      readonly lineBytes: number;
      readonly lines: number;
      readonly streams: number;
      readonly sessions: number;
      readonly freeBytes: number;
      /** The last line that is kept. */
      readonly position: number;
    }
  | { readonly status: ProblemCode };

const bytes = z.number().nonnegative();

export const health: z.ZodType<Health> = z.object({
  version: z.string(),
  protocol: z.number().int(),
  epoch: z.string().nullable(),
  store: z.union([
    z.object({
      status: z.literal('ok'),
      fileBytes: bytes,
      lineBytes: bytes,
      lines: bytes,
      streams: bytes,
      sessions: bytes,
      freeBytes: bytes,
      position: bytes,
    }),
    z.object({ status: z.enum(PROBLEM_CODES) }),
  ]),
  feedPosition: z.number().nullable(),
});
