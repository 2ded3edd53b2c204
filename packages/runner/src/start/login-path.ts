// Asks the person's login shell for its PATH. Profiles print greetings, ask questions and hang: so the answer stands between two
// marks that nobody can know before, there is nothing to read, and the wait has an end.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { type Clock, systemClock } from '../clock.ts';
import { inherit } from './environment.ts';

/** The PATH as the login shell has it; undefined when there is none to ask, or it gives no answer in time. */
export function readLoginPath(
  env: NodeJS.ProcessEnv,
  clock: Clock = systemClock,
  limit: number = LIMIT,
): Promise<string | undefined> {
  const shell = env['SHELL'] || ownShell();
  if (shell === undefined || !isAbsolute(shell)) return Promise.resolve(undefined);
  const mark = randomBytes(16).toString('hex');
  // These words mean the same in every shell there is.
  const question = `echo ${mark}; printenv PATH; echo ${mark}`;
  return new Promise((settle) => {
    const child = spawn(shell, ['-l', '-i', '-c', question], {
      env: inherit(env),
      stdio: ['ignore', 'pipe', 'ignore'],
      // Without a terminal: an interactive shell in the background would be stopped when it reaches for ours.
      detached: true,
    });
    let text = '';
    let isDone = false;
    const done = (path: string | undefined): void => {
      if (isDone) return;
      isDone = true;
      cancel();
      child.stdout.destroy();
      endGroup(child);
      settle(path);
    };
    const cancel = clock.after(limit, () => done(undefined));
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk: string) => {
      text += chunk;
      const path = between(text, mark);
      if (path !== undefined) done(path);
      else if (text.length > MAX_TEXT) done(undefined);
    });
    child.stdout.on('end', () => done(undefined));
    child.on('error', () => done(undefined));
  });
}

const LIMIT = 5_000;
const MAX_TEXT = 1_000_000;

/** The line between the two marks, once both are there. */
function between(text: string, mark: string): string | undefined {
  const from = text.indexOf(mark);
  const to = text.indexOf(mark, from + mark.length);
  if (from < 0 || to < 0) return undefined;
  return text.slice(from + mark.length, to).trim() || undefined;
}

function ownShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    // An account without an entry, as in some containers.
    return undefined;
  }
}

/** The shell with what it waits for. Once it has ended its number may be another's; what a profile leaves behind is meant to stay. */
function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended this moment.
  }
}
