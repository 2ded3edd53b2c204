// What a translator remembers between two lines, and whose line is at hand.

import type { AgentError, StopReason } from '../../event/event.ts';
import { asText, type Json, type Loose } from '../../event/json.ts';
import type { Narrator } from '../narrator/narrator.ts';
import type { CopilotLine, Data } from './wire.ts';

/** How far the main thread, or a sub-agent, has come. */
export interface Thread {
  /** The message that is open; absent when only reasoning has come, which does not name it. */
  messageId: string | undefined;
  model: string | undefined;
  /** The last text that was whole. */
  text: string | undefined;
  asksForCalls: boolean;
  /** The message that is open came whole. */
  isWhole: boolean;
  /** Calls of it that are being written. */
  readonly announced: Set<string>;
  /** Reasoning that is being written. */
  readonly reasoning: Set<string>;
  /** The last reasoning that was whole: it is told three times. */
  toldReasoning: string | undefined;
  /** A model call that failed and was not tried again yet. */
  failure: { readonly error: AgentError; readonly attempt: number } | undefined;
}

export interface State {
  readonly narrator: Narrator;
  readonly threads: Map<string | undefined, Thread>;
  /** How often each sub-agent has ended. */
  readonly runs: Map<string, number>;
  /** The sub-agent that a call runs. */
  readonly agentOfCall: Map<string, string>;
  /** MCP servers and how they are. */
  readonly servers: Map<string, string | undefined>;
  /** Open calls whose output comes in pieces: the snapshots beside it say nothing new. */
  readonly live: Set<string>;
  /** Open calls of which a refusal was told. */
  readonly refused: Set<string>;
  /** What makes the turn a failure. */
  failure: AgentError | undefined;
  /** Why somebody stopped the turn. */
  stopped: StopReason | undefined;
  isRetryTold: boolean;
  /** What the last line told: the run as a whole has failed. */
  failed: AgentError | undefined;
}

export function createState(narrator: Narrator): State {
  return {
    narrator,
    threads: new Map(),
    runs: new Map(),
    agentOfCall: new Map(),
    servers: new Map(),
    live: new Set(),
    refused: new Set(),
    failure: undefined,
    stopped: undefined,
    isRetryTold: false,
    failed: undefined,
  };
}

export type Handler = (state: State, data: Loose<Data>, line: Loose<CopilotLine>) => void;

/** The sub-agent whose line it is. Every line of one should name it; some name only the call that runs it. */
export function agentOf(state: State, callId: Json, line: Loose<CopilotLine>): string | undefined {
  const call = asText(callId);
  return asText(line.agentId) ?? (call === undefined ? undefined : (state.agentOfCall.get(call) ?? call));
}

/** The task of a sub-agent: one that goes on after its end is another task. */
export function taskOf(state: State, agentId: string): string {
  const ended = state.runs.get(agentId) ?? 0;
  return ended === 0 ? agentId : `${agentId}#${ended + 1}`;
}

/** What follows is said by the one whose line it is. */
export function enterThread(state: State, data: Loose<Data>, line: Loose<CopilotLine>): void {
  const { narrator } = state;
  const agentId = agentOf(state, data.parentToolCallId, line);
  if (agentId === undefined) return;
  narrator.enterTask(taskOf(state, agentId));
}

/** The thread of the line at hand. */
export function threadOf(state: State): Thread {
  const taskId = state.narrator.out.subagentId;
  const known = state.threads.get(taskId);
  if (known) return known;
  const thread: Thread = {
    messageId: undefined,
    model: undefined,
    text: undefined,
    asksForCalls: false,
    isWhole: false,
    announced: new Set(),
    reasoning: new Set(),
    toldReasoning: undefined,
    failure: undefined,
  };
  state.threads.set(taskId, thread);
  return thread;
}
