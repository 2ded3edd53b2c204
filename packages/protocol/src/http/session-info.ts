// A session as it stands in a list.

import type { FigureState, RunState, Usage } from '@tailrace/core';
import { z } from 'zod';

/** How far a run is in its turn. */
export interface RunProgress {
  /** What the agent is at, in words for people. */
  readonly phase: string;
  /** The todo entry in progress, in the agent's own words; its beginning. */
  readonly activity?: string | undefined;
  /** A whole number, 0 to 100. */
  readonly percentage: number;
  /** `measured`: that much of the todo list is done, or the turn ended well. `estimated`: a guess. */
  readonly basis: 'measured' | 'estimated';
  /** Entries of the todo list, where the turn has one. */
  readonly done?: number | undefined;
  readonly total?: number | undefined;
}

/** The run that a session has at the moment. */
export interface LiveRun {
  readonly runId: string;
  readonly state: RunState;
  /** When that state began, in epoch milliseconds. */
  readonly since: number;
  /** Started by this server: it can be answered here. Others wait in their own terminal. */
  readonly isOurs: boolean;
  /** How many requests wait for an answer. */
  readonly waiting: number;
  /** Null where nothing was heard of it. */
  readonly progress: RunProgress | null;
  /** Sub-agents at work now. */
  readonly subagents: number;
}

export interface SessionInfo {
  readonly id: string;
  readonly agent: string;
  /** The folder's id, by which runs are started and events are filtered. */
  readonly projectId: string | null;
  /** The folder's own name. */
  readonly project: string | null;
  readonly cwd: string | null;
  /** The name a person gave it, else the agent's, else the beginning of the first prompt. */
  readonly title: string | null;
  readonly model: string | null;
  /** `running` while somebody writes to it; else how it went. */
  readonly status: string;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly turns: number;
  readonly usage: Usage & { readonly state: FigureState };
  readonly costUsd: number | null;
  readonly costState: FigureState;
  readonly starred: boolean;
  readonly tags: readonly string[];
  readonly lines: number;
  /** The last thing that the agent said on the main thread: at most 200 characters of it, on one line. */
  readonly lastText: string | null;
  /** How many files were changed. */
  readonly files: number;
  /** How many sub-agents were started so far. */
  readonly subagents: number;
  readonly live: LiveRun | null;
}

/** What a run is doing. */
export const runState: z.ZodType<RunState> = z.enum([
  'starting',
  'working',
  'waiting',
  'idle',
  'stalled',
  'finishing',
  'ended',
]);

const howMany = z.number().int().nonnegative();

export const runProgress: z.ZodType<RunProgress> = z.object({
  phase: z.string(),
  activity: z.string().optional(),
  percentage: z.number().int().min(0).max(100),
  basis: z.enum(['measured', 'estimated']),
  done: howMany.optional(),
  total: howMany.optional(),
});

export const liveRun: z.ZodType<LiveRun> = z.object({
  runId: z.string(),
  state: runState,
  since: z.number(),
  isOurs: z.boolean(),
  waiting: howMany,
  progress: runProgress.nullable(),
  subagents: howMany,
});

const figureState = z.enum(['known', 'estimated', 'reconciled', 'unknown']);
const tokens = z.number().nonnegative().optional();

/** Token counts with how sure they are; caches are a part of the input. */
export const usageFigures: z.ZodType<Usage & { readonly state: FigureState }> = z.looseObject({
  inputTokens: tokens,
  outputTokens: tokens,
  cacheReadTokens: tokens,
  cacheWriteTokens: tokens,
  state: figureState,
}) as unknown as z.ZodType<Usage & { readonly state: FigureState }>;

export const sessionInfo: z.ZodType<SessionInfo> = z.object({
  id: z.string(),
  agent: z.string(),
  projectId: z.string().nullable(),
  project: z.string().nullable(),
  cwd: z.string().nullable(),
  title: z.string().nullable(),
  model: z.string().nullable(),
  status: z.string(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  turns: z.number(),
  usage: usageFigures,
  costUsd: z.number().nullable(),
  costState: figureState,
  starred: z.boolean(),
  tags: z.array(z.string()),
  lines: z.number(),
  lastText: z.string().nullable(),
  files: howMany,
  subagents: howMany,
  live: liveRun.nullable(),
});
