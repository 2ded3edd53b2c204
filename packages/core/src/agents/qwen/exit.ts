// Qwen Code's exit codes: some ends have no line in the stream.

import type { ErrorCode } from '../../event/event.ts';
import type { Ending, Exit, Seen } from '../agent.ts';
import { readExit as readPlainExit } from '../exit.ts';

const codes: ReadonlyMap<number, readonly [ErrorCode, string]> = new Map([
  [42, ['invalid_request', 'the input was refused']],
  [44, ['unknown', 'the sandbox failed']],
  [52, ['invalid_request', 'the settings are wrong']],
  [53, ['max_turns', 'the limit of turns was reached']],
  [55, ['max_budget', 'the limit of time or of tool calls was reached']],
]);

export function readExit(exit: Exit, seen: Seen): Ending {
  const ending = readPlainExit(exit, seen);
  const told = codes.get(exit.code ?? 0);
  if (!told || seen.ending || seen.error || ending.outcome !== 'error') return ending;
  const [code, message] = told;
  return { outcome: 'error', error: { code, message, nativeCode: `exit ${exit.code}` } };
}
