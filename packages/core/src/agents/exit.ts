// How a run ended, as most agents mean it: a signal stops it, else the stream knows, else the exit code does.

import type { Ending, Exit, Seen } from './agent.ts';

/** What a shell makes of a process that died by SIGHUP, SIGINT, SIGKILL or SIGTERM; some agents end with it by themselves. */
const SIGNAL_CODES: ReadonlySet<number> = new Set([129, 130, 137, 143]);

export function readExit(exit: Exit, seen: Seen): Ending {
  if (exit.signal) return { outcome: 'cancelled' };
  if (seen.ending) return seen.ending;
  const code = exit.code ?? 0;
  if (seen.isAborted || SIGNAL_CODES.has(code)) return { outcome: 'cancelled' };
  // Silence is no success, and without an exit code no failure either.
  if (code === 0) return { outcome: 'unknown' };
  return { outcome: 'error', error: seen.error ?? exitError(code) };
}

/** A failure that only the exit code tells. */
export function exitError(code: number): NonNullable<Ending['error']> {
  return { code: 'unknown', message: `the process ended with exit code ${code}`, nativeCode: `exit ${code}` };
}
