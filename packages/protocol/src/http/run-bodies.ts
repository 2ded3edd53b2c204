// The commands to runs as HTTP has them: the address says what is to be done and to which run, the body the rest.

import { z } from 'zod';
import {
  type AnswerRequest,
  answerRequest,
  type InterruptRun,
  interruptRun,
  type SendPrompt,
  type StartRun,
  type StopRun,
  sendPrompt,
  startRun,
  stopRun,
} from '../command.ts';
import { type RunInfo, runInfo } from './run-info.ts';

export type StartBody = Omit<StartRun, 'action'>;
export type SendBody = Omit<SendPrompt, 'action' | 'runId'>;
export type AnswerBody = Omit<AnswerRequest, 'action' | 'runId'>;
/** Nothing: `{}`. */
export type InterruptBody = Omit<InterruptRun, 'action' | 'runId'>;
export type StopBody = Omit<StopRun, 'action' | 'runId'>;

export const startBody: z.ZodType<StartBody> = without<StartBody>(startRun, 'action');
export const sendBody: z.ZodType<SendBody> = without<SendBody>(sendPrompt, 'action', 'runId');
export const answerBody: z.ZodType<AnswerBody> = without<AnswerBody>(answerRequest, 'action', 'runId');
export const interruptBody: z.ZodType<InterruptBody> = without<InterruptBody>(interruptRun, 'action', 'runId');
export const stopBody: z.ZodType<StopBody> = without<StopBody>(stopRun, 'action', 'runId');

/** What became of a command: the run, and its session as soon as that is known. */
export interface CommandReply {
  readonly runId: string;
  readonly sessionId?: string | undefined;
}

export const commandReply: z.ZodType<CommandReply> = z.object({
  runId: z.string(),
  sessionId: z.string().optional(),
});

/** The runs of this server that go on, the oldest first. */
export const runList: z.ZodType<{ readonly items: readonly RunInfo[] }> = z.object({ items: z.array(runInfo) });

function without<T>(schema: z.ZodType, ...names: readonly string[]): z.ZodType<T> {
  // Each command is an object, though its type does not say so.
  const { shape } = schema as unknown as z.ZodObject;
  const fields = Object.entries(shape).filter(([name]) => !names.includes(name));
  return z.strictObject(Object.fromEntries(fields)) as unknown as z.ZodType<T>;
}
