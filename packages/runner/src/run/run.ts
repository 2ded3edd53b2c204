// A run as whoever started it holds it.

import type { Answer, ContextUsage, RequestEvent, Rewind, RunState } from '@tailrace/core';
import type { RunListener } from './listeners.ts';
import type { RunResult } from './result.ts';
import type { OpenCall } from './status.ts';

export interface Run {
  readonly id: string;
  readonly agent: string;
  readonly cwd: string;
  readonly state: RunState;
  /** When that state began, in epoch milliseconds. */
  readonly since: number;
  /** The tools that run, the oldest first. */
  readonly calls: readonly OpenCall[];
  /** The session that was asked for, the one the agent reports, and the one whose file lies on disk: they may differ. */
  readonly sessionIds: SessionIds;
  /** What waits for an answer, the oldest first; nothing when nobody would hear one any more. */
  readonly requests: readonly RequestEvent[];
  /** Settles when the run has ended; never rejects. */
  readonly ended: Promise<RunResult>;
  listen(listener: RunListener): () => void;
  /** Says one more thing; gives the id of the prompt. */
  send(text: string): string;
  /** Answers a request, once: the first answer counts. One that does not fit the request, or cannot be written, is thrown back. */
  answer(requestId: string, answer: Answer, by?: 'user' | 'policy'): void;
  /** Breaks off the turn; the run goes on. */
  interrupt(): Promise<void>;
  setModel(model: string): Promise<void>;
  setPermissionMode(mode: string): Promise<void>;
  contextUsage(): Promise<ContextUsage>;
  /** Sets files back to how they were before a prompt. */
  rewindFiles(checkpoint: string, options?: { readonly dryRun?: boolean }): Promise<Rewind>;
  /** Nothing more will be said: the agent may end when its work is done. */
  close(): void;
  /** Interrupt, then TERM, then KILL; settles when nothing is left. */
  stop(): Promise<RunResult>;
  /** KILL at once. */
  kill(): Promise<RunResult>;
}

export interface SessionIds {
  readonly asked?: string;
  readonly reported?: string;
  readonly onDisk?: string;
}
