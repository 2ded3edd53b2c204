// What went wrong, as RFC 9457 says it, with a code that programs can rely on.

import { z } from 'zod';

/** Errors keep their class: none of these is folded into another. */
export const PROBLEM_CODES = [
  'bad-request',
  'unauthenticated',
  'refused',
  'not-found',
  'conflict',
  'answered',
  'too-large',
  'too-many',
  'busy',
  'full',
  'io',
  'corrupt',
  'read-only',
  'not-trusted',
  'unavailable',
  'internal',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

export interface Problem {
  /** `about:blank`: the code says it. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail?: string | undefined;
  /** With `not-trusted`: what the folder brings. Whoever agrees to it starts the run again with `trust: digest`. */
  readonly folder?: FolderBrings | undefined;
}

/** What a folder would make an agent run or obey. */
export interface FolderBrings {
  readonly digest: string;
  readonly brought: readonly {
    readonly kind: string;
    readonly name: string;
    readonly detail: string;
    readonly file: string;
  }[];
}

export const problem: z.ZodType<Problem> = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int().min(400).max(599),
  code: z.enum(PROBLEM_CODES),
  detail: z.string().optional(),
  folder: z
    .object({
      digest: z.string(),
      brought: z.array(z.object({ kind: z.string(), name: z.string(), detail: z.string(), file: z.string() })),
    })
    .optional(),
});

const STATUS: Readonly<Record<ProblemCode, number>> = {
  'bad-request': 400,
  unauthenticated: 401,
  refused: 403,
  'not-found': 404,
  conflict: 409,
  answered: 409,
  'too-large': 413,
  'too-many': 429,
  'not-trusted': 409,
  busy: 503,
  full: 507,
  io: 500,
  corrupt: 500,
  'read-only': 500,
  unavailable: 503,
  internal: 500,
};

const TITLES: Readonly<Record<ProblemCode, string>> = {
  'bad-request': 'The request is not understood',
  unauthenticated: 'Nobody is signed in',
  refused: 'This is not allowed',
  'not-found': 'There is no such thing',
  conflict: 'Something else has happened meanwhile',
  answered: 'It was answered already',
  'too-large': 'This is too large',
  'too-many': 'This is too much at once',
  'not-trusted': 'The folder brings things that run, and nobody said yes to them',
  busy: 'Somebody else is at it',
  full: 'There is no room left',
  io: 'The disk failed',
  corrupt: 'The store is damaged',
  'read-only': 'The store cannot be written',
  unavailable: 'This cannot be had now',
  internal: 'Something went wrong here',
};

export function createProblem(code: ProblemCode, detail?: string, folder?: FolderBrings): Problem {
  return {
    type: 'about:blank',
    title: TITLES[code],
    status: STATUS[code],
    code,
    ...(detail !== undefined && { detail }),
    ...(folder && { folder }),
  };
}
