// Windows has neither groups nor signals, and shows no environment of others: there the tree below the agent is ended.

import { spawnSync } from 'node:child_process';
import type { ProcessName, RunTarget } from './targets.ts';

/** The program that ends a tree of processes, and what it is told; nothing when there is nobody whom it could mean. */
export function treeCommand(
  pid: number | undefined,
  env: NodeJS.ProcessEnv,
): { readonly file: string; readonly args: readonly string[] } | undefined {
  // 0 and 4 are the system's own.
  if (pid === undefined || !Number.isSafeInteger(pid) || pid <= 4) return undefined;
  const root = env['SystemRoot'] ?? env['SYSTEMROOT'] ?? 'C:\\Windows';
  return { file: `${root}\\System32\\taskkill.exe`, args: ['/PID', String(pid), '/T', '/F'] };
}

/** Ends the agent with everything below it. */
export function endTree(run: RunTarget): { readonly signalled: number; readonly left: readonly ProcessName[] } {
  const command = treeCommand(run.agent?.pid, process.env);
  if (command === undefined) return { signalled: 0, left: [] };
  const { status } = spawnSync(command.file, command.args, { stdio: 'ignore', timeout: 5_000, windowsHide: true });
  return { signalled: status === 0 ? 1 : 0, left: [] };
}
