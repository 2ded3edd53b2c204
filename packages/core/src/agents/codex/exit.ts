// Codex exits with 1 whether it failed or was stopped. A failure is told in the stream, so 1 after silence was a stop.

import type { Ending, Exit, Seen } from '../agent.ts';
import { readExit as readPlainExit } from '../exit.ts';

export function readExit(exit: Exit, seen: Seen): Ending {
  const isStopped = exit.code === 1 && seen.isOpen === true && !seen.ending && !seen.error;
  return isStopped ? { outcome: 'cancelled' } : readPlainExit(exit, seen);
}
