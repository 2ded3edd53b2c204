// The runs of this server: started, spoken to, answered and stopped by whoever may.

import type { AnswerRequest, InterruptRun, RunInfo, SendPrompt, StartRun, StopRun } from '@tailrace/protocol';
import type { Caller } from '../guard/guard.ts';

/** Rejects with a {@link ProblemError} where something cannot be done. */
export interface Runs {
  /** Those that go on, the oldest first. */
  list(): readonly RunInfo[];
  get(runId: string): RunInfo | undefined;
  start(caller: Caller, wanted: Omit<StartRun, 'action'>): Promise<RunReply>;
  send(caller: Caller, wanted: Omit<SendPrompt, 'action'>): Promise<RunReply>;
  answer(caller: Caller, wanted: Omit<AnswerRequest, 'action'>): Promise<RunReply>;
  interrupt(caller: Caller, wanted: Omit<InterruptRun, 'action'>): Promise<RunReply>;
  stop(caller: Caller, wanted: Omit<StopRun, 'action'>): Promise<RunReply>;
  /** Does something with a session while no run of this server goes on in it, and none can be started. */
  withSession<T>(sessionId: string, work: () => Promise<T>): Promise<T>;
  /** Told whenever {@link list} gives something else than before. */
  onChange(listener: (runId: string) => void): () => void;
  /** Stops all of them, and waits until their last lines are kept. */
  close(): Promise<void>;
}

export interface RunReply {
  readonly runId: string;
  readonly sessionId?: string | undefined;
}
