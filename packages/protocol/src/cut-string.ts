import { z } from 'zod';

/** A string of which only the beginning travels. */
export interface CutString {
  /** Where in the event, or in the message, it stands. */
  readonly path: readonly (string | number)[];
  /** How long the whole is. */
  readonly bytes: number;
  /** Where the line can be had that has the whole: an address of this server. */
  readonly ref: string;
}

export const cutStrings: z.ZodType<readonly CutString[]> = z.array(
  z.object({
    path: z.array(z.union([z.string(), z.number()])),
    bytes: z.number().nonnegative(),
    ref: z.string(),
  }),
);
