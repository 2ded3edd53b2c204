import type { Caller } from '../guard/guard.ts';
import type { Audit, AuditEntry } from './audit.ts';
import { toProblem } from './to-problem.ts';

/** Does it, and writes down who wanted it and what became of it. */
export async function audited<T>(
  audit: Audit,
  entry: Omit<AuditEntry, 'caller' | 'result'>,
  caller: Caller,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const result = await work();
    audit.write({ ...entry, caller: caller.id, result: 'done' });
    return result;
  } catch (error) {
    const problem = toProblem(error);
    audit.write({ ...entry, caller: caller.id, result: problem.problem.code });
    throw problem;
  }
}
