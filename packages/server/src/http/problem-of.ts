// Whatever was thrown → the problem that a client is told. What has a class keeps it; of anything else nothing is told.

import { createProblem, type Problem, type ProblemCode } from '@tailrace/protocol';
import { KeyReused } from '../control/once.ts';
import { toProblem } from '../control/to-problem.ts';

/** What the system says when a file cannot be written. */
const OF_SYSTEM: ReadonlyMap<string, ProblemCode> = new Map([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EIO', 'io'],
  ['EROFS', 'read-only'],
]);

/** The problem that stands for an error. */
export function problemOf(error: unknown): Problem {
  if (error instanceof KeyReused) return createProblem('conflict', error.message);
  const { problem } = toProblem(error);
  if (problem.code !== 'internal') return problem;
  // Only the class: the sentence may be for nobody's eyes.
  const code = error instanceof Error && 'code' in error ? OF_SYSTEM.get(String(error.code)) : undefined;
  return createProblem(code ?? 'internal');
}
