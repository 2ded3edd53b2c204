// A run of this server, and what waits in it.

import type { RequestEvent, RunState } from '@tailrace/core';
import { z } from 'zod';
import { type RunProgress, runProgress, runState } from './session-info.ts';

/** Something that waits for an answer. */
export interface OpenRequest {
  readonly request: RequestEvent;
  /** What an answer has to carry: it stands for everything that is shown of the request. */
  readonly digest: string;
}

export interface RunInfo {
  readonly runId: string;
  readonly workOrderId: string | null;
  readonly agent: string;
  readonly projectId: string;
  /** As the agent reports it; nothing until it does. */
  readonly sessionId: string | null;
  readonly state: RunState;
  readonly since: number;
  readonly startedAt: number;
  readonly progress: RunProgress | null;
  /** Sub-agents at work now. */
  readonly subagents: number;
  /** The oldest first. */
  readonly requests: readonly OpenRequest[];
}

export const openRequest: z.ZodType<OpenRequest> = z.object({
  request: z.looseObject({
    type: z.enum(['permission-request', 'question-request']),
    requestId: z.string(),
  }) as unknown as z.ZodType<RequestEvent>,
  digest: z.string(),
});

export const runInfo: z.ZodType<RunInfo> = z.object({
  runId: z.string(),
  workOrderId: z.string().nullable(),
  agent: z.string(),
  projectId: z.string(),
  sessionId: z.string().nullable(),
  state: runState,
  since: z.number(),
  startedAt: z.number(),
  progress: runProgress.nullable(),
  subagents: z.number().int().nonnegative(),
  requests: z.array(openRequest),
});
