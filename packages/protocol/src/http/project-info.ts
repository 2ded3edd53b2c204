// A folder that runs may be started in.

import { z } from 'zod';

export interface ProjectInfo {
  readonly id: string;
  readonly name: string;
  /** For people to tell two of the same name apart; nothing is ever asked for by it. */
  readonly folder: string;
}

export const projectList: z.ZodType<{ readonly items: readonly ProjectInfo[] }> = z.object({
  items: z.array(z.object({ id: z.string(), name: z.string(), folder: z.string() })),
});
