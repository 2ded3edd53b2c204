// Gemini's exit codes. A run that is stopped ends with 0 like one that is done, and prints no `result`.

import type { Ending, Exit, Seen } from '../agent.ts';
import { errorOf } from '../errors.ts';
import { readExit as readAnyExit } from '../exit.ts';
import { readError } from './errors.ts';

/** The class of error behind a code; one that fails before its first line tells nothing else on stdout. */
const CLASSES: ReadonlyMap<number, readonly [string, string]> = new Map([
  [41, ['FatalAuthenticationError', 'authentication failed']],
  [42, ['FatalInputError', 'the input cannot be used']],
  [44, ['FatalSandboxError', 'the sandbox failed']],
  [52, ['FatalConfigError', 'the configuration cannot be used']],
  [53, ['FatalTurnLimitedError', 'the limit of turns is reached']],
  [54, ['FatalToolExecutionError', 'a tool failed so that the run cannot go on']],
  [55, ['FatalUntrustedWorkspaceError', 'the folder is not trusted']],
]);

export function readExit(exit: Exit, seen: Seen): Ending {
  const { code } = exit;
  if (exit.signal || seen.ending || code === undefined || code === null) return readAnyExit(exit, seen);
  if (code === 0) return { outcome: 'cancelled' };
  const known = CLASSES.get(code);
  if (known) return { outcome: 'error', error: seen.error ?? readError(known[1], known[0]) };
  // The HTTP status of a failed model call, of which the system keeps the last byte: 400 ends as 144.
  const status = code + 256;
  if (status >= 400 && status < 512) {
    const message = `the model call failed with HTTP status ${status}`;
    return { outcome: 'error', error: seen.error ?? errorOf({ message, status, nativeCode: `exit ${code}` }) };
  }
  return readAnyExit(exit, seen);
}
