// How a run ended, as most agents mean it: a signal stops it or tells that it crashed, else the stream knows, else the exit code does.

import type { Ending, Exit, Seen } from './agent.ts';

/** Somebody wanted it to end. Any other signal is one that a process gets for what it did. */
const STOPS: ReadonlySet<string> = new Set(['SIGHUP', 'SIGINT', 'SIGKILL', 'SIGTERM']);

/** What a shell makes of a process that died by SIGHUP, SIGINT, SIGKILL or SIGTERM; some agents end with it by themselves. */
const SIGNAL_CODES: ReadonlySet<number> = new Set([129, 130, 137, 143]);

export function readExit(exit: Exit, seen: Seen): Ending {
  if (exit.signal && STOPS.has(exit.signal)) return { outcome: 'cancelled' };
  if (exit.signal) return { outcome: 'error', error: seen.error ?? signalError(exit.signal) };
  if (seen.ending) return seen.ending;
  const code = exit.code ?? 0;
  if (seen.isAborted || SIGNAL_CODES.has(code)) return { outcome: 'cancelled' };
  // Silence is no success, and without an exit code no failure either.
  if (code === 0) return { outcome: 'unknown' };
  return { outcome: 'error', error: seen.error ?? exitError(code) };
}

function signalError(signal: string): NonNullable<Ending['error']> {
  return { code: 'unknown', message: `the process ended with signal ${signal}`, nativeCode: signal };
}

/** A failure that only the exit code tells. */
export function exitError(code: number): NonNullable<Ending['error']> {
  return { code: 'unknown', message: `the process ended with exit code ${code}`, nativeCode: `exit ${code}` };
}
