// Signing in, and the programs that a person lets in.

import { z } from 'zod';
import { MAX_ID_LENGTH, MAX_LABEL_LENGTH } from '../limits.ts';

/** The code that the server showed. */
export interface SignInRequest {
  readonly code: string;
}

export const signInRequest: z.ZodType<SignInRequest> = z.object({ code: z.string().min(1).max(MAX_ID_LENGTH) });

/** Beside the cookie: the page keeps it, and sends it with everything (`key.ts`). */
export interface SignInReply {
  readonly key: string;
}

export const signInReply: z.ZodType<SignInReply> = z.object({ key: z.string() });

const RIGHTS = ['read', 'run', 'answer'] as const;
type ProgramRight = (typeof RIGHTS)[number];

/** A program that may come in with a token. */
export interface ProgramInfo {
  readonly id: string;
  readonly name: string;
  readonly rights: readonly ProgramRight[];
  readonly madeAt: number;
}

/** A program to be let in: it may do what is ticked, and nothing else. */
export interface NewProgram {
  readonly name: string;
  readonly rights: readonly ProgramRight[];
}

/** The token is told once, and never again. */
export interface MadeProgram {
  readonly program: ProgramInfo;
  readonly token: string;
}

const rights = z.array(z.enum(RIGHTS)).max(RIGHTS.length);
const program: z.ZodType<ProgramInfo> = z.object({
  id: z.string(),
  name: z.string(),
  rights,
  madeAt: z.number(),
});

export const newProgram: z.ZodType<NewProgram> = z.object({ name: z.string().min(1).max(MAX_LABEL_LENGTH), rights });
export const madeProgram: z.ZodType<MadeProgram> = z.object({ program, token: z.string() });
export const programList: z.ZodType<{ readonly items: readonly ProgramInfo[] }> = z.object({
  items: z.array(program),
});
