// What the bridge tells, as `useStreamingMessage` of `@tailrace/client/react` wants it.

import { createTurnSignals, type StreamSignal, type StreamSource } from '@tailrace/client';
import type { StreamTool, TailraceBridge } from '@tailrace/protocol';

type Ears = Pick<TailraceBridge, 'onStreamInit' | 'onStreamChunk' | 'onStreamTool' | 'onStreamEnd' | 'onStreamEvent'>;

/** What somebody else started has no id of its own. */
type Whose = { readonly runId?: string | undefined };

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
      const runs = new Map<string | undefined, Following>();
      const isOurs = (message: Whose): boolean => runId === undefined || message.runId === runId;

      function following({ runId: id }: Whose): Following {
        // A run tells each of its prompts.
        const known = runs.get(id) ?? { hasBegun: false, turnsOf: createTurnSignals(id !== undefined) };
        runs.set(id, known);
        return known;
      }

      function tell(message: Whose, ...signals: readonly StreamSignal[]): void {
        if (signals.length === 0) return;
        following(message).hasBegun = true;
        for (const signal of signals) listener(signal);
      }

      const ends = [
        bridge.onStreamInit((message) => {
          if (!isOurs(message) || following(message).hasBegun) return;
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
          const { runId: id, ...how } = message;
          if (isOurs(message)) tell(message, { type: 'end', ...how });
          runs.delete(id);
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
