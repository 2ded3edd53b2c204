// The guard of a run: a process of its own that holds a pipe from us. When we die, however that happens, the pipe ends, and the
// guard ends every process of the run.
//
// Its program travels as text (`guard-text.ts`), not as a file: whoever bundles us into one file has no second one to find.
// The text is made from `guard-program.ts` by guard.test.ts, which fails while the two differ.

import { spawn } from 'node:child_process';
import { parse } from 'node:path';
import { GUARD_TEXT } from './guard-text.ts';
import type { ProcessName } from './targets.ts';

export interface Guard {
  /** The guard's own process. */
  readonly pid: number | undefined;
  /** Names the agent as soon as it runs; until then only its mark leads to it. */
  tell(agent: ProcessName): void;
  /** Lets the guard go. It ends nobody. */
  release(): void;
  /** How the guard went: by our leave, or too early, in which case nobody guards the run any more. */
  readonly ended: Promise<'released' | 'lost'>;
}

/**
 * Starts the guard of a run. To be called before the agent is started, and nothing is to be waited for: a guard that comes to
 * life after our death finds its pipe at an end.
 */
export function startGuard(runId: string): Guard {
  const child = spawn(process.execPath, ['--input-type=commonjs', '-e', GUARD_TEXT, '--', runId], {
    // A session of its own: Ctrl-C in our terminal, and its end, do not reach it.
    detached: true,
    cwd: parse(process.execPath).root,
    env: guardEnvironment(process.env, process.versions),
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
  });
  let isReleased = false;
  // That the pipe broke is told by the exit.
  child.stdin.on('error', () => {});
  child.unref();
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return {
    pid: child.pid,
    tell({ pid, startTime }) {
      if (!isReleased) child.stdin.write(`agent ${pid} ${startTime}\n`);
    },
    release() {
      if (isReleased) return;
      isReleased = true;
      child.stdin.end('release\n');
    },
    ended: new Promise((resolve) => {
      child.once('error', () => resolve('lost'));
      child.once('exit', () => resolve(isReleased ? 'released' : 'lost'));
    }),
  };
}

/**
 * What the guard inherits: enough for Node to start, and no mark of a run that we may be part of. Options for Node in our
 * environment could make it wait for a debugger.
 */
export function guardEnvironment(
  env: NodeJS.ProcessEnv,
  versions: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => INHERITED.has(name.toUpperCase()));
  const all = Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  // In an Electron program the runtime is the program itself, unless it is told to be Node.
  return versions['electron'] === undefined ? all : { ...all, ELECTRON_RUN_AS_NODE: '1' };
}

const INHERITED: ReadonlySet<string> = new Set([
  'PATH',
  'SYSTEMROOT',
  'WINDIR',
  'TEMP',
  'TMP',
  'TMPDIR',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
]);
