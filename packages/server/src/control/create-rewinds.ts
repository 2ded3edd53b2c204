// Takes sessions back to before a prompt. It changes files, so it is done only as it was shown, and only while nobody works on them.

import { createHash } from 'node:crypto';
import { agents as allAgents } from '@tailrace/core';
import type { RewindBody, RewindPreviewBody, RewindPreviewReply, RewindReply, StartBefore } from '@tailrace/protocol';
import {
  createTrust,
  previewRewind,
  type RewindOptions,
  type RewindPreview,
  rewindSession,
  startBefore,
} from '@tailrace/runner';
import type { Caller } from '../guard/guard.ts';
import { ProblemError } from '../problem-error.ts';
import { audited } from './audited.ts';
import { createFolderTrust } from './folder-trust.ts';
import { type LaunchOptions, mustBeAllowed } from './launch-run.ts';
import { CATCH_UP_MS } from './limits.ts';
import { readBefore, readRewind } from './read-rewind.ts';
import { mustHave } from './rights.ts';
import type { Runs } from './runs.ts';

/** Each rejects with a {@link ProblemError}. */
export interface Rewinds {
  /** With what a run goes on from before a prompt, in a session of its own. Nothing is started or touched. */
  before(caller: Caller, wanted: InSession<RewindPreviewBody>): Promise<StartBefore>;
  /** What going back would do. Starts the agent, which is only asked; nothing is touched. */
  preview(caller: Caller, wanted: InSession<RewindPreviewBody>): Promise<RewindPreviewReply>;
  /** Goes back, if that still does what was shown: else it is a `conflict`, and nothing is touched. */
  rewind(caller: Caller, wanted: InSession<RewindBody>): Promise<RewindReply>;
}

type InSession<T> = T & { readonly sessionId: string };

export interface RewindsOptions extends Omit<LaunchOptions, 'onKept'> {
  readonly runs: Pick<Runs, 'withSession'>;
}

export function createRewinds(options: RewindsOptions): Rewinds {
  const { store, projects, audit, runs, agents = allAgents } = options;

  async function optionsOf(
    caller: Caller,
    wanted: InSession<RewindPreviewBody>,
    read: typeof readRewind = readRewind,
  ): Promise<RewindOptions> {
    await store.history.catchUp({ waitMs: CATCH_UP_MS, signal: AbortSignal.timeout(CATCH_UP_MS) });
    const { agent: name, ...kept } = await read(store, wanted);
    const agent = agents.find((one) => one.name === name);
    if (!agent) throw new ProblemError('unavailable', `nobody here knows the agent ${name}`);
    // Nothing is started but in a folder of ours, and nothing in our own data.
    await mustBeAllowed(await projects.resolve(projects.idOf(kept.cwd)), options.forbid);
    return {
      ...kept,
      agent,
      program: options.programs?.(name),
      env: options.env,
      waits: options.waits,
      clock: options.clock,
      trust: createFolderTrust({
        trust: createTrust({ file: options.trustFile }),
        caller,
        agreed: wanted.trust,
        warn: (message) => options.warn?.(wanted.sessionId, message),
      }),
    };
  }

  const entryOf = (action: string, { sessionId, checkpoint }: InSession<RewindPreviewBody>) => ({
    action,
    detail: `${sessionId} ${checkpoint}`,
  });

  return {
    before: (caller, wanted) =>
      audited(audit, entryOf('start-before', wanted), caller, async () => {
        mustHave(caller, 'run');
        return await startBefore(await optionsOf(caller, wanted, readBefore));
      }),
    preview: (caller, wanted) =>
      audited(audit, entryOf('preview-rewind', wanted), caller, () => {
        mustHave(caller, 'run');
        return runs.withSession(wanted.sessionId, async () => {
          const preview = await previewRewind(await optionsOf(caller, wanted));
          return { ...preview, digest: digestOf(preview) };
        });
      }),
    rewind: (caller, wanted) =>
      audited(audit, entryOf('rewind', wanted), caller, () => {
        mustHave(caller, 'run');
        // What the agent has done with somebody's yes is undone.
        mustHave(caller, 'answer');
        return runs.withSession(wanted.sessionId, async () => {
          const full = await optionsOf(caller, wanted);
          const preview = await previewRewind(full);
          if (digestOf(preview) !== wanted.digest)
            throw new ProblemError('conflict', 'going back would do something else than what was shown; look again');
          return await rewindSession(full, preview);
        });
      }),
  };
}

/** What was shown, all of it. */
function digestOf(preview: RewindPreview): string {
  return createHash('sha256').update(JSON.stringify(preview)).digest('base64url');
}
