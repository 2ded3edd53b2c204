// What the bridge tells, as `useStreamingMessage` of `@tailrace/client/react` wants it.

import type { StreamSignal, StreamSource } from '@tailrace/client';
import type { AgentStreamEvent } from '@tailrace/core';
import type { StreamEvent, StreamTool, TailraceBridge } from '@tailrace/protocol';

type Ears = Pick<TailraceBridge, 'onStreamInit' | 'onStreamChunk' | 'onStreamTool' | 'onStreamEnd' | 'onStreamEvent'>;

/**
 * The answers of all runs, or of the one with this id, whatever its session is called by then. Keep it from one render to the next.
 *
 * @example
 * const source = useMemo(() => streamSource(window.tailrace, runId), [runId]);
 * const { content, isStreaming, tools } = useStreamingMessage(source);
 */
export function streamSource(bridge: Ears, runId?: string): StreamSource {
  return {
    subscribe(listener) {
      const isOurs = (message: { readonly runId?: string | undefined }): boolean =>
        runId === undefined || message.runId === runId;
      const gaps = createGaps();
      const tell = (signal: StreamSignal | undefined): void => {
        if (signal) listener(gaps.between(signal));
      };
      const ends = [
        bridge.onStreamInit((message) => {
          if (isOurs(message)) tell({ type: 'start', sessionId: message.sessionId });
        }),
        bridge.onStreamChunk((message) => {
          const { sessionId, content } = message;
          if (isOurs(message)) tell({ type: 'text', sessionId, content });
        }),
        bridge.onStreamTool((message) => {
          if (isOurs(message)) tell(toolSignal(message));
        }),
        bridge.onStreamEnd((message) => {
          const { runId: _run, ...how } = message;
          if (isOurs(message)) tell({ type: 'end', ...how });
        }),
        bridge.onStreamEvent((message) => {
          if (!isOurs(message)) return;
          gaps.hear(message);
          tell(turnSignal(message.sessionId, message.event));
        }),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

/** Blocks of text are paragraphs: where the events tell that a new one begins, an empty line goes before it. */
function createGaps(): { hear(message: StreamEvent): void; between(signal: StreamSignal): StreamSignal } {
  const sessions = new Map<string, 'in a block' | 'between blocks'>();
  return {
    hear({ sessionId, event }) {
      if (event.type !== 'text-start' || event.subagentId !== undefined) return;
      if (sessions.has(sessionId)) sessions.set(sessionId, 'between blocks');
    },
    between(signal) {
      const { sessionId } = signal;
      if (signal.type === 'start' || signal.type === 'end') sessions.delete(sessionId);
      if (signal.type !== 'text') return signal;
      const isNew = sessions.get(sessionId) === 'between blocks';
      sessions.set(sessionId, 'in a block');
      return isNew ? { ...signal, content: `\n\n${signal.content}` } : signal;
    },
  };
}

function toolSignal(message: StreamTool): StreamSignal | undefined {
  const { sessionId } = message;
  // What a sub-agent does is no part of the answer.
  if (message.subagentId !== undefined) return undefined;
  if (message.type === 'tool_use') {
    const { id, name, input } = message.toolUse;
    return { type: 'tool', sessionId, id, name, input };
  }
  const { tool_use_id: id, content, is_error: isError } = message.toolResult;
  return { type: 'tool-end', sessionId, id, content, isError };
}

/** A run may answer several prompts. The light messages tell its end only; of its turns the events tell. */
function turnSignal(sessionId: string, event: AgentStreamEvent): StreamSignal | undefined {
  // A run that ends before its first turn has no part in the answer before.
  if (event.type === 'turn-start' || event.type === 'run-start') return { type: 'start', sessionId };
  if (event.type !== 'turn-end') return undefined;
  const { outcome, error, usage, cost } = event;
  return {
    type: 'end',
    sessionId,
    success: outcome === 'success',
    ...(error && { error: error.message }),
    ...(outcome === 'cancelled' && { aborted: true }),
    ...(usage && { totalTokens: { input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0 } }),
    ...(cost?.currency === 'USD' && { costUsd: cost.amount }),
  };
}
