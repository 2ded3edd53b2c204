// Taking a session back to before a prompt: what that would do, and doing it.

import type { FileChange } from '@tailrace/core';
import { z } from 'zod';
import { id } from '../command.ts';

/** Asks what going back to a prompt would do. Nothing is touched. */
export interface RewindPreviewBody {
  /** The id of a prompt, as the session's checkpoints tell it. */
  readonly checkpoint: string;
  /** The person saw what the folder brings, and said yes: the digest of what they saw. */
  readonly trust?: string | undefined;
}

/** Goes back, if that still means what was shown. */
export interface RewindBody extends RewindPreviewBody {
  /** Of the preview that somebody has seen and agreed to. */
  readonly digest: string;
}

export const rewindPreviewBody: z.ZodType<RewindPreviewBody> = z.strictObject({ checkpoint: id, trust: id.optional() });
export const rewindBody: z.ZodType<RewindBody> = z.strictObject({ checkpoint: id, digest: id, trust: id.optional() });

/** A file that is set back. */
export interface RewindFile {
  readonly path: string;
  /** `remove`: it was not there at the prompt; `restore`: it is not there now. */
  readonly action: 'change' | 'remove' | 'restore';
  /** It is not as the session left it: what somebody else has done to it is lost. */
  readonly isOverwritten: boolean;
}

/** A call that changed something, or could have. */
export interface RewindCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The command, or what else the call is called by. */
  readonly title?: string | undefined;
  readonly subagentId?: string | undefined;
}

/** A file that stays as it is, or does not get back all the way. */
export interface RewindLeft {
  readonly path: string;
  readonly operation: FileChange['operation'];
  readonly calls: readonly RewindCall[];
  readonly isCertain: boolean;
  /** It is set back, but only to what it was when the agent edited it first, which was after the command. */
  readonly isPartly: boolean;
}

/** With what a prompt starts, to go on from before another. Empty: it begins a new session, since nothing was before. */
export interface StartBefore {
  readonly resume?: string | undefined;
  readonly resumeAt?: string | undefined;
  readonly fork?: boolean | undefined;
}

/** What going back does. */
interface RewindFacts {
  readonly sessionId: string;
  readonly cwd: string;
  readonly checkpoint: string;
  /** The beginning of the prompt, where it is known. */
  readonly prompt?: string | undefined;
  readonly files: readonly RewindFile[];
  readonly linesAdded?: number | undefined;
  readonly linesRemoved?: number | undefined;
  /** What commands have changed since the prompt, of which the agent has no copy. */
  readonly left: readonly RewindLeft[];
  /** Commands since the prompt, when nobody watched the files: what they changed stays too, and nobody knows what it is. */
  readonly unwatched: readonly RewindCall[];
  readonly next: StartBefore;
}

export interface RewindPreviewReply extends RewindFacts {
  /** Stands for all of it: going back carries it. */
  readonly digest: string;
}

export interface RewindReply extends RewindFacts {
  /** Files that could not be set back. */
  readonly failed: readonly string[];
}

const call: z.ZodType<RewindCall> = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  title: z.string().optional(),
  subagentId: z.string().optional(),
});

export const startBefore: z.ZodType<StartBefore> = z.object({
  resume: z.string().optional(),
  resumeAt: z.string().optional(),
  fork: z.boolean().optional(),
});

export const startBeforeQuery: z.ZodType<{ readonly checkpoint: string }> = z.object({ checkpoint: id });

const facts = {
  sessionId: z.string(),
  cwd: z.string(),
  checkpoint: z.string(),
  prompt: z.string().optional(),
  files: z.array(
    z.object({ path: z.string(), action: z.enum(['change', 'remove', 'restore']), isOverwritten: z.boolean() }),
  ),
  linesAdded: z.number().optional(),
  linesRemoved: z.number().optional(),
  left: z.array(
    z.object({
      path: z.string(),
      operation: z.enum(['add', 'modify', 'delete', 'move', 'copy']),
      calls: z.array(call),
      isCertain: z.boolean(),
      isPartly: z.boolean(),
    }),
  ),
  unwatched: z.array(call),
  next: startBefore,
};

export const rewindPreviewReply: z.ZodType<RewindPreviewReply> = z.object({ ...facts, digest: z.string() });
export const rewindReply: z.ZodType<RewindReply> = z.object({ ...facts, failed: z.array(z.string()) });
