// Asks an agent to set files back, in a process of its own that gets no prompt: it is started, asked, and ended.

import type { Rewind } from '@tailrace/core';
import { type Clock, systemClock } from '../clock.ts';
import type { Run } from '../run/run.ts';
import { type RunOptions, startRun } from '../run/start.ts';
import { WAITS } from '../run/waits.ts';
import { isTailraceError, TailraceError } from '../start/errors.ts';

/** How the agent's program is found and started; as for a run. */
export type AskOptions = Pick<RunOptions, 'agent' | 'program' | 'env' | 'trust' | 'clock' | 'waits'>;

export interface RewindAsker {
  /** What would be set back. */
  plan(): Promise<Rewind>;
  /** Sets it back. */
  act(): Promise<Rewind>;
}

export interface Place {
  readonly sessionId: string;
  readonly cwd: string;
  readonly checkpoint: string;
  /** Where the conversation is to be cut. The agent refuses to start when it has no such message. */
  readonly resumeAt?: string | undefined;
}

/** The agent takes half a second; one that says nothing for so long is not waited for. */
const PATIENCE = 60_000;

/** Lets `talk` ask, and gives what it gives. Afterwards the process is gone. */
export async function askToRewind<T>(
  options: AskOptions,
  place: Place,
  talk: (asker: RewindAsker) => Promise<T>,
): Promise<T> {
  const { agent, clock = systemClock } = options;
  const { sessionId, cwd, checkpoint, resumeAt } = place;
  const command = agent.rewind?.command({ sessionId, resumeAt });
  if (!command || !agent.input)
    throw new TailraceError('not-understood', `${nameOf(options)} cannot go back to a prompt`);
  const run = await startRun({
    ...options,
    agent: { ...agent, command: () => command },
    prompt: '',
    resume: sessionId,
    cwd,
    conversation: true,
    watchFiles: false,
  });
  const cancel = clock.after(PATIENCE, () => run.kill());
  try {
    return await talk({
      plan: () => run.rewindFiles(checkpoint, { dryRun: true }),
      act: () => run.rewindFiles(checkpoint),
    });
  } catch (error) {
    throw await explained(error, run, options);
  } finally {
    cancel();
    await end(run, clock, options.waits?.linger ?? WAITS.linger);
  }
}

async function end(run: Run, clock: Clock, linger: number): Promise<void> {
  run.close();
  const cancel = clock.after(linger, () => run.kill());
  await run.ended;
  cancel();
}

/** Why it cannot be done, in the agent's own words where it has said something. */
async function explained(error: unknown, run: Run, options: AskOptions): Promise<unknown> {
  if (!isTailraceError(error)) return error;
  const { code, message } = error;
  if (code === 'refused')
    return new TailraceError('no-checkpoint', `${nameOf(options)} cannot set the files back (${message})`, {
      cause: error,
    });
  if (code !== 'ended' && code !== 'not-listening') return error;
  const { error: why = message } = await run.ended;
  return new TailraceError('refused', `${nameOf(options)} cannot go back there: ${why}`, { cause: error });
}

function nameOf({ agent }: AskOptions): string {
  return agent.title ?? agent.name;
}
