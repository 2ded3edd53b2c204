// Who may do what with a run. Here and nowhere else, whichever way the wish came in.

import type { Caller, Right } from '../guard/guard.ts';
import { ProblemError } from '../problem-error.ts';

/** Throws a {@link ProblemError} unless the caller has the right. */
export function mustHave({ rights }: Caller, right: Right): void {
  if (!rights.has(right)) throw new ProblemError('refused', `this needs the right to ${right}`);
}

/** Whether somebody may agree to what a folder brings: a program reads no hooks and takes no blame. */
export function mayTrust({ kind }: Caller): boolean {
  return kind === 'person' || kind === 'host';
}
