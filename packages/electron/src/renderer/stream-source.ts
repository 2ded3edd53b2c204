// What the bridge tells, as `useStreamingMessage` of `@tailrace/client/react` wants it.

import { createTurnSignals, type StreamSignal, type StreamSource } from '@tailrace/client';
import type { StreamInit, StreamTool, TailraceBridge } from '@tailrace/protocol';

type Ears = Pick<TailraceBridge, 'onStreamInit' | 'onStreamChunk' | 'onStreamTool' | 'onStreamEnd' | 'onStreamEvent'>;

type Whose = Pick<StreamInit, 'sessionId' | 'runId'>;

interface Following {
  /** Something was told: an agent that tells its session last begins nothing by it. */
  hasBegun: boolean;
  readonly turnsOf: ReturnType<typeof createTurnSignals>;
}

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
      const followed = new Map<string, Following>();
      const isOurs = (message: Whose): boolean => runId === undefined || message.runId === runId;
      /** What an app started by itself is known by its session alone. */
      const keyOf = (whose: Whose): string => whose.runId ?? whose.sessionId;

      function following(whose: Whose): Following {
        const key = keyOf(whose);
        // A run tells each of its prompts.
        const known = followed.get(key) ?? { hasBegun: false, turnsOf: createTurnSignals(whose.runId !== undefined) };
        followed.set(key, known);
        return known;
      }

      /** What was told by the former id goes on; what another process told by this one is over. */
      function rename(formerId: string, sessionId: string): void {
        const known = followed.get(formerId);
        followed.delete(formerId);
        if (known) followed.set(sessionId, known);
        else followed.delete(sessionId);
      }

      function tell(message: Whose, ...signals: readonly StreamSignal[]): void {
        if (signals.length === 0) return;
        following(message).hasBegun = true;
        for (const signal of signals) listener(signal);
      }

      const ends = [
        bridge.onStreamInit((message) => {
          if (!isOurs(message)) return;
          if (message.formerId !== undefined) rename(message.formerId, message.sessionId);
          if (following(message).hasBegun) return;
          tell(message, { type: 'start', sessionId: message.sessionId });
        }),
        bridge.onStreamChunk((message) => {
          const { sessionId, content } = message;
          if (isOurs(message)) tell(message, { type: 'text', sessionId, content });
        }),
        bridge.onStreamTool((message) => {
          if (isOurs(message)) tell(message, ...toolSignals(message));
        }),
        bridge.onStreamEnd((message) => {
          const { runId: _run, ...how } = message;
          if (isOurs(message)) tell(message, { type: 'end', ...how });
          followed.delete(keyOf(message));
        }),
        bridge.onStreamEvent((message) => {
          if (!isOurs(message)) return;
          const { sessionId, event } = message;
          const signals = following(message).turnsOf(event);
          tell(message, ...signals.map((signal) => ({ ...signal, sessionId })));
        }),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

function toolSignals(message: StreamTool): readonly StreamSignal[] {
  const { sessionId } = message;
  // What a sub-agent does is no part of the answer.
  if (message.subagentId !== undefined) return [];
  if (message.type === 'tool_use') {
    const { id, name, input } = message.toolUse;
    return [{ type: 'tool', sessionId, id, name, input }];
  }
  const { tool_use_id: id, content, is_error: isError } = message.toolResult;
  return [{ type: 'tool-end', sessionId, id, content, isError }];
}
