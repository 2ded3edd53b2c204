// How to go on with a session: at a terminal with the agent's own program, or with a run of ours.

import { resolve } from 'node:path';
import type { Agent, StartOptions } from '@tailrace/core';
import { TailraceError } from '../start/errors.ts';
import { checkStart } from '../start/values.ts';
import { quoteWords } from './quote.ts';

export interface ResumeCommand {
  /** The folder it must be started in: agents look for a session where it was begun. */
  readonly cwd: string;
  /** What a person starts at a terminal; absent where the agent has no such way, or none that is known here. */
  readonly interactive?:
    | { readonly program: string; readonly args: readonly string[]; readonly text: string }
    | undefined;
  /** What a run takes to go on with it. */
  readonly start: Pick<StartOptions, 'resume'>;
}

/** Throws when the agent cannot be started from here at all, or when the id could be taken for something else. */
export function resumeCommand(
  agent: Agent,
  { sessionId, cwd }: { readonly sessionId: string; readonly cwd: string },
): ResumeCommand {
  if (!agent.command)
    throw new TailraceError('no-command', `${agent.title ?? agent.name} cannot go on with a session from here`);
  checkStart({ prompt: '', resume: sessionId }, cwd);
  const folder = resolve(cwd);
  const [program, ...args] = agent.resume?.(sessionId) ?? [];
  const text = `cd ${quoteWords([folder])} && ${quoteWords([program ?? '', ...args])}`;
  return {
    cwd: folder,
    ...(program !== undefined && { interactive: { program, args, text } }),
    start: { resume: sessionId },
  };
}
