// What a client can ask of runs, over HTTP or a socket. Ids only: no path but one below a project, no process numbers, no flags.

import type { Answer } from '@tailrace/core';
import { z } from 'zod';
import { MAX_ID_LENGTH } from './limits.ts';

export interface StartRun {
  readonly action: 'start';
  /** The id of a folder that was used before, or that lies under a root. */
  readonly project: string;
  /** A folder below it. */
  readonly path?: string | undefined;
  readonly prompt: string;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly permissionMode?: string | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly budgetUsd?: number | undefined;
  /** The session to go on with. */
  readonly resume?: string | undefined;
  /** With `resume`: in a session of its own, so that the one it goes on with stays as it is. */
  readonly fork?: boolean | undefined;
  /** With `resume`: behind this message of it; what came later is not in the conversation. */
  readonly resumeAt?: string | undefined;
  /** More prompts will follow. */
  readonly isConversation?: boolean | undefined;
  /** The caller's own name for the work. */
  readonly workOrderId?: string | undefined;
  /** The caller's own name for the run; one is made unless set. */
  readonly runId?: string | undefined;
  /** The person saw what the folder brings, and said yes: the digest of what they saw. */
  readonly trust?: string | undefined;
}

export interface SendPrompt {
  readonly action: 'send';
  readonly runId: string;
  readonly text: string;
}

export interface AnswerRequest {
  readonly action: 'answer';
  readonly runId: string;
  readonly requestId: string;
  /** Of the request as it was shown: an answer to something else does not count. */
  readonly digest: string;
  readonly answer: Answer;
}

export interface InterruptRun {
  readonly action: 'interrupt';
  readonly runId: string;
}

export interface StopRun {
  readonly action: 'stop';
  readonly runId: string;
}

export type Command = StartRun | SendPrompt | AnswerRequest | InterruptRun | StopRun;

/** An id, a key or a name that somebody chose. */
export const id: z.ZodType<string> = z.string().min(1).max(MAX_ID_LENGTH);

/** What becomes an argument may not look like a flag. */
export const word: z.ZodType<string> = z
  .string()
  .min(1)
  .max(MAX_ID_LENGTH)
  .regex(/^[^-\s][^\s]*$/);

export const startRun: z.ZodType<StartRun> = z.strictObject({
  action: z.literal('start'),
  project: id,
  path: z.string().max(4096).optional(),
  prompt: z.string().min(1),
  agent: word.optional(),
  model: word.optional(),
  permissionMode: word.optional(),
  allow: z.array(z.string().min(1).max(MAX_ID_LENGTH)).max(100).optional(),
  budgetUsd: z.number().positive().optional(),
  resume: word.optional(),
  fork: z.boolean().optional(),
  resumeAt: word.optional(),
  isConversation: z.boolean().optional(),
  workOrderId: id.optional(),
  runId: z.uuid().optional(),
  trust: id.optional(),
});

export const sendPrompt: z.ZodType<SendPrompt> = z.strictObject({
  action: z.literal('send'),
  runId: id,
  text: z.string().min(1),
});

/** What a call is made with, or a filled form. */
const fields = z.record(z.string(), z.unknown());

export const answer: z.ZodType<Answer> = z.discriminatedUnion('decision', [
  z.strictObject({ decision: z.literal('allow'), always: z.boolean().optional(), input: fields.optional() }),
  z.strictObject({
    decision: z.literal('deny'),
    reason: z.string().optional(),
    interrupt: z.boolean().optional(),
  }),
  z.strictObject({ decision: z.literal('answer'), content: fields }),
]);

export const answerRequest: z.ZodType<AnswerRequest> = z.strictObject({
  action: z.literal('answer'),
  runId: id,
  requestId: id,
  digest: id,
  answer,
});

export const interruptRun: z.ZodType<InterruptRun> = z.strictObject({ action: z.literal('interrupt'), runId: id });
export const stopRun: z.ZodType<StopRun> = z.strictObject({ action: z.literal('stop'), runId: id });

export const command: z.ZodType<Command> = z.union([startRun, sendPrompt, answerRequest, interruptRun, stopRun]);
