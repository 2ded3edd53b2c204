// Back to before a prompt: files and conversation together. Everything that can be found wrong is found before a file is touched.
// The files are set back at once; the conversation is cut when the next prompt is given, and as a new session, so the old one stays.

import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { StartOptions } from '@tailrace/core';
import { TailraceError } from '../start/errors.ts';
import { checkStart } from '../start/values.ts';
import { type AskOptions, askToRewind, type RewindAsker } from './ask.ts';
import { findBefore } from './before.ts';
import type { ChangesSince } from './changes.ts';
import { type FilesPreview, lookAhead, pathsOf } from './look.ts';

export interface RewindOptions extends AskOptions {
  readonly sessionId: string;
  /** The folder in which the session was begun. */
  readonly cwd: string;
  /** The id of the prompt. */
  readonly checkpoint: string;
  /** What was changed since that prompt; see `createChanges`. */
  readonly changes: ChangesSince;
}

export interface RewindPreview extends FilesPreview {
  readonly sessionId: string;
  readonly cwd: string;
  readonly checkpoint: string;
  /** The beginning of the prompt, where it is known. */
  readonly prompt?: string | undefined;
  /** With what the next prompt goes on from there. Empty: it begins a new session, since nothing was before the prompt. */
  readonly next: Pick<StartOptions, 'resume' | 'resumeAt' | 'fork'>;
}

export interface Rewound extends RewindPreview {
  /** Files that could not be set back. */
  readonly failed: readonly string[];
}

/** Tells what going back would do, and touches nothing. Rejects when it cannot be done, files and conversation both. */
export function previewRewind(options: RewindOptions): Promise<RewindPreview> {
  return goBack(options, async (_asker, preview) => preview);
}

/**
 * Goes back. `agreed` is what somebody has seen and agreed to: when other files would be set back by now, nothing is touched.
 *
 * @example
 * const preview = await previewRewind(options);
 * if (await isFine(preview)) await rewindSession(options, preview);
 */
export function rewindSession(options: RewindOptions, agreed?: RewindPreview): Promise<Rewound> {
  return goBack(options, async (asker, preview) => {
    checkAgreed(preview, agreed);
    await asker.act();
    // The agent passes over files that it cannot write, and says nothing.
    return { ...preview, failed: pathsOf(await asker.plan(), preview.cwd) };
  });
}

/** With what a prompt goes on from before another, files left as they are. Nothing is started. */
export async function startBefore(options: RewindOptions): Promise<RewindPreview['next']> {
  const { agent, sessionId, checkpoint, env = process.env } = options;
  mustGoBack(options);
  const before = await findBefore({ agent, sessionId, cwd: realFolder(options.cwd), checkpoint, env });
  if (before === undefined) throw noSuchCheckpoint(options);
  return nextOf(sessionId, before);
}

async function goBack<T>(
  options: RewindOptions,
  act: (asker: RewindAsker, preview: RewindPreview) => Promise<T>,
): Promise<T> {
  const { agent, sessionId, checkpoint, changes, env = process.env } = options;
  mustGoBack(options);
  const cwd = realFolder(options.cwd);
  const before = await findBefore({ agent, sessionId, cwd, checkpoint, env });
  if (before === undefined) throw noSuchCheckpoint(options);
  const place = { sessionId, cwd, checkpoint, ...(before !== null && { resumeAt: before }) };
  return askToRewind(options, place, async (asker) => {
    const files = lookAhead(await asker.plan(), changes, cwd, options.cwd);
    const next = nextOf(sessionId, before);
    return act(asker, { sessionId, cwd, checkpoint, prompt: changes.prompt, ...files, next });
  });
}

/** Agents know a folder by its real name, whichever link leads to it. */
function realFolder(cwd: string): string {
  try {
    return realpathSync(cwd);
  } catch (error) {
    throw new TailraceError('no-folder', `there is no folder ${resolve(cwd)}`, { cause: error });
  }
}

function mustGoBack({ agent, sessionId, checkpoint }: RewindOptions): void {
  if (!agent.rewind)
    throw new TailraceError('not-understood', `${agent.title ?? agent.name} cannot go back to an earlier prompt`);
  checkStart({ prompt: '', resume: sessionId, promptId: checkpoint });
}

function nextOf(sessionId: string, before: string | null): RewindPreview['next'] {
  return before === null ? {} : { resume: sessionId, resumeAt: before, fork: true };
}

function noSuchCheckpoint({ agent, changes, checkpoint, sessionId }: RewindOptions): TailraceError {
  const name = agent.title ?? agent.name;
  return new TailraceError(
    'no-such-checkpoint',
    changes.isKnown
      ? `${name} cannot go back to prompt ${checkpoint}: it was taken up in the middle of a turn`
      : `session ${sessionId} has no prompt ${checkpoint}; "tailrace checkpoints ${sessionId}" lists them`,
  );
}

function checkAgreed(preview: RewindPreview, agreed: RewindPreview | undefined): void {
  const known = new Set(agreed?.files.map(({ path, isOverwritten }) => `${path}\0${isOverwritten}`));
  const others = preview.files.filter(({ path, isOverwritten }) => !known.has(`${path}\0${isOverwritten}`));
  if (!agreed || others.length === 0) return;
  const names = others.map(({ path }) => path).join(', ');
  throw new TailraceError('changed', `nothing was touched: since you looked, this has changed: ${names}`);
}
