// What a run is doing, worked out from its events and from what was done to it. Pure: it has no clock, and the same history gives
// the same status.

import type { AgentStreamEvent, RequestEvent, RunState } from '@tailrace/core';

/** A tool that runs. */
export interface OpenCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** When it began, in epoch milliseconds. */
  readonly since: number;
  readonly subagentId?: string;
}

export class Status {
  /** Requests that wait for an answer, the oldest first. */
  readonly requests: Map<string, RequestEvent> = new Map();
  readonly calls: Map<string, OpenCall> = new Map();
  /** Declared work that outlives the call which started it. */
  readonly background: Map<string, { readonly toolCallId?: string }> = new Map();
  /** Something came from the agent. */
  hasStarted = false;
  /** A turn has ended: there is something to end with. */
  hasAnswered = false;
  /** The agent owes an answer: a prompt was written, or a turn goes on. */
  isBusy = true;
  isStalled = false;
  /** Nothing more will be said to it. */
  isClosed = false;
  /** It is being ended. */
  isStopping = false;
  hasEnded = false;
  /** The agent said that it waits before it asks the model again, until then. */
  retryAt = 0;

  private readonly leavesBackground: boolean;

  /** `leavesBackground`: declared background work does not hold the run up. */
  constructor(leavesBackground = false) {
    this.leavesBackground = leavesBackground;
  }

  /** Takes notice of an event that arrived at this time. */
  add(event: AgentStreamEvent, at: number): void {
    switch (event.type) {
      case 'session-start':
        this.hasStarted = true;
        break;
      case 'turn-start':
        this.isBusy = true;
        break;
      case 'turn-end':
        this.hasAnswered = true;
        this.isBusy = false;
        this.retryAt = 0;
        this.dropCalls();
        break;
      case 'tool-call-start':
        this.calls.set(event.toolCallId, {
          toolCallId: event.toolCallId,
          toolName: event.toolName,
          since: at,
          ...(event.subagentId !== undefined && { subagentId: event.subagentId }),
        });
        break;
      case 'tool-call-end':
        this.calls.delete(event.toolCallId);
        break;
      case 'task-start':
        if (event.background) this.background.set(event.taskId, event);
        break;
      case 'task-update':
        if (event.background && !this.background.has(event.taskId)) this.background.set(event.taskId, {});
        break;
      case 'task-end':
        this.background.delete(event.taskId);
        break;
      case 'permission-request':
      case 'question-request':
        this.requests.set(event.requestId, event);
        break;
      case 'permission-resolve':
      case 'question-resolve':
        if (event.requestId !== undefined) this.requests.delete(event.requestId);
        break;
      case 'retry-start':
        this.retryAt = at + (event.delayMs ?? 0);
        break;
      case 'retry-end':
        this.retryAt = 0;
        break;
    }
  }

  /** A turn may end without a result for each of its calls: only those of work in the background go on. */
  private dropCalls(): void {
    for (const [id, { subagentId }] of this.calls)
      if (subagentId === undefined || !this.background.has(subagentId)) this.calls.delete(id);
  }

  /** Whether silence means that something is at work elsewhere. */
  get hasOpen(): boolean {
    return this.calls.size > 0 || this.requests.size > 0 || this.hasBackground;
  }

  private get hasBackground(): boolean {
    return this.background.size > 0 && !this.leavesBackground;
  }

  /** Whether all that was asked of it is done. */
  get isDone(): boolean {
    return this.hasAnswered && !this.isBusy && !this.hasOpen;
  }

  get state(): RunState {
    if (this.hasEnded) return 'ended';
    if (this.isStopping || (this.isClosed && this.isDone)) return 'finishing';
    if (this.requests.size > 0) return 'waiting';
    if (this.isStalled) return 'stalled';
    if (!this.hasStarted) return 'starting';
    return this.isBusy || this.calls.size > 0 || this.hasBackground ? 'working' : 'idle';
  }

  /** What it is working on, the oldest first. */
  get toolCallIds(): readonly string[] {
    const tasks = [...this.background.values()].flatMap(({ toolCallId }) => toolCallId ?? []);
    return [...new Set([...this.calls.keys(), ...tasks])];
  }
}
