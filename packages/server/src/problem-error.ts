// A failure with the problem that a client is told.

import { createProblem, type FolderBrings, type Problem, type ProblemCode } from '@tailrace/protocol';

export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(code: ProblemCode, detail?: string, options: ErrorOptions & { readonly folder?: FolderBrings } = {}) {
    super(detail ?? code, options);
    this.problem = createProblem(code, detail, options.folder);
  }
}
