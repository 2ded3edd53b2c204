// What a page may ask of the main process of its app. Ids, words and texts only: which agent runs, where and with which rights, is not
// for a page to say.

import type { Answer, RequestEvent, RunState } from '@tailrace/core';
import { z } from 'zod';
import { answer, id, word } from '../command.ts';
import type { RewindPreviewReply, RewindReply } from '../http/rewind.ts';
import type { CheckpointInfo } from '../http/session-parts.ts';
import { MAX_PROMPT_LENGTH } from '../limits.ts';
import type { CallName } from './channels.ts';
import { sessionUuid } from './messages.ts';

export interface BridgeStart {
  readonly prompt: string;
  /** A name of the app's own for where it is to run; the app knows what it stands for. */
  readonly project?: string | undefined;
  readonly model?: string | undefined;
  /** The session to go on with, by its id or by that of a run in it. */
  readonly resume?: string | undefined;
  /** With `resume`: behind this message of it. */
  readonly resumeAt?: string | undefined;
  /** With `resume`: in a session of its own. */
  readonly fork?: boolean | undefined;
  /** A new id for the run, of the page's own (`crypto.randomUUID()`): with it the page knows what is its own before the reply comes. */
  readonly runId?: string | undefined;
}

export interface BridgeStarted {
  /** Also the id of the session until the agent tells its own. */
  readonly runId: string;
}

/** `id` is that of the run, or of its session. */
export interface BridgeRunId {
  readonly id: string;
}

export interface BridgeSend extends BridgeRunId {
  readonly text: string;
}

export interface BridgeAnswer extends BridgeRunId {
  readonly requestId: string;
  readonly answer: Answer;
}

/** By its id, or by that of a run in it. */
export interface BridgeSession {
  readonly sessionId: string;
}

export interface BridgeRewindPreview extends BridgeSession {
  /** The id of a prompt, as `checkpoints` tells it. */
  readonly checkpoint: string;
}

export interface BridgeRewind extends BridgeRewindPreview {
  /** Of the preview that the person has seen and agreed to. */
  readonly digest: string;
}

export interface BridgeUrl {
  /** http or https; nothing else is opened. */
  readonly url: string;
}

/** A run that goes on. */
export interface BridgeRun {
  readonly runId: string;
  readonly sessionId: string;
  readonly agent: string;
  readonly state: RunState;
  /** What waits for an answer, the oldest first. */
  readonly requests: readonly RequestEvent[];
}

/** What each call takes and gives. */
export interface BridgeCalls {
  readonly start: { readonly argument: BridgeStart; readonly value: BridgeStarted };
  readonly send: { readonly argument: BridgeSend; readonly value: undefined };
  readonly answer: { readonly argument: BridgeAnswer; readonly value: undefined };
  readonly interrupt: { readonly argument: BridgeRunId; readonly value: undefined };
  readonly stop: { readonly argument: BridgeRunId; readonly value: undefined };
  readonly runs: { readonly argument: undefined; readonly value: readonly BridgeRun[] };
  readonly checkpoints: { readonly argument: BridgeSession; readonly value: readonly CheckpointInfo[] };
  readonly previewRewind: { readonly argument: BridgeRewindPreview; readonly value: RewindPreviewReply };
  readonly rewind: { readonly argument: BridgeRewind; readonly value: RewindReply };
  readonly openExternal: { readonly argument: BridgeUrl; readonly value: undefined };
}

/** What the main process says to a call: an error would lose its code on the way, and its sentence would get a foreign beginning. */
export type BridgeReply<N extends CallName = CallName> =
  | { readonly ok: true; readonly value: BridgeCalls[N]['value'] }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** What a person says. */
const said = z
  .string()
  .min(1)
  .max(MAX_PROMPT_LENGTH)
  .refine((text) => text.trim() !== '', 'there is nothing to read in it but blanks');

const one = { id: sessionUuid };

/** The schema of what each call takes. */
export const bridgeCalls: { readonly [N in CallName]: z.ZodType<BridgeCalls[N]['argument']> } = {
  start: z
    .strictObject({
      prompt: said,
      project: id.optional(),
      model: word.optional(),
      resume: sessionUuid.optional(),
      resumeAt: word.optional(),
      fork: z.boolean().optional(),
      runId: sessionUuid.optional(),
    })
    .refine(
      ({ resume, resumeAt, fork }) => resume !== undefined || (resumeAt === undefined && fork === undefined),
      'only a session that is gone on with can be forked or gone on with from a place in it: "resume" is missing',
    ),
  send: z.strictObject({ ...one, text: said }),
  answer: z.strictObject({ ...one, requestId: id, answer }),
  interrupt: z.strictObject(one),
  stop: z.strictObject(one),
  runs: z.undefined(),
  checkpoints: z.strictObject({ sessionId: sessionUuid }),
  previewRewind: z.strictObject({ sessionId: sessionUuid, checkpoint: word }),
  rewind: z.strictObject({ sessionId: sessionUuid, checkpoint: word, digest: id }),
  openExternal: z.strictObject({ url: z.string() }),
};
