// What the rooms below throw, as the problem that a client is told. Errors keep their class.

import type { ProblemCode } from '@tailrace/protocol';
import { isTailraceError } from '@tailrace/runner';
import { StoreError, type StoreErrorCode } from '@tailrace/store';
import { ProblemError } from '../problem-error.ts';

export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  // The runner says whose failure it was.
  if (isTailraceError(error) && error.cause instanceof ProblemError) return error.cause;
  const cause = { cause: error };
  if (isTailraceError(error)) return new ProblemError(RUNNER[error.code] ?? 'internal', error.message, cause);
  if (error instanceof StoreError) return new ProblemError(STORE[error.code], error.message, cause);
  // Whatever else it says may be for nobody's eyes.
  return new ProblemError('internal', undefined, cause);
}

const RUNNER: Readonly<Record<string, ProblemCode>> = {
  'value-refused': 'bad-request',
  'argument-refused': 'bad-request',
  'not-understood': 'bad-request',
  'no-folder': 'not-found',
  'no-command': 'unavailable',
  'program-not-found': 'unavailable',
  'spawn-failed': 'unavailable',
  'not-trusted': 'not-trusted',
  'too-much': 'too-large',
  'bad-answer': 'bad-request',
  'no-such-request': 'answered',
  'not-listening': 'conflict',
  ended: 'conflict',
  refused: 'conflict',
  'no-such-checkpoint': 'not-found',
  'no-session': 'not-found',
  'no-checkpoint': 'unavailable',
  changed: 'conflict',
};

const STORE: Readonly<Record<StoreErrorCode, ProblemCode>> = {
  busy: 'busy',
  full: 'full',
  io: 'io',
  corrupt: 'corrupt',
  'read-only': 'read-only',
  'not-found': 'not-found',
  refused: 'refused',
  hole: 'internal',
  newer: 'unavailable',
  unsafe: 'unavailable',
  closed: 'unavailable',
  unavailable: 'unavailable',
};
