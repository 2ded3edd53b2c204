// A session on the server as a stream of signals: the answers of its main thread, one after the other.

import type { AgentStreamEvent, ContentPart } from '@tailrace/core';
import type { Client } from '../client.ts';
import type { StreamSignal, StreamSource } from '../stream-source.ts';

export function sessionStream(client: Client, sessionId: string): StreamSource {
  return {
    subscribe(listener) {
      const signalsOf = createSignals(sessionId);
      const subscription = client.subscribe({ view: 'events', sessions: [sessionId] }, (messages) => {
        for (const message of messages) {
          if (message.type === 'event') signalsOf(message.event).forEach(listener);
          // An answer that was broken off has ended too.
          else if (message.type === 'ended') message.events.flatMap(signalsOf).forEach(listener);
          else if (message.type === 'reset') listener({ type: 'start', sessionId });
        }
      });
      return () => subscription.close();
    },
  };
}

function createSignals(sessionId: string): (event: AgentStreamEvent) => readonly StreamSignal[] {
  /** How much of each block was told: what was there before comes whole, what is new comes in pieces and then whole. */
  const told = new Map<string, number>();

  return (event) => {
    // What a sub-agent says is no part of the answer.
    if (event.subagentId !== undefined) return [];
    switch (event.type) {
      case 'turn-start':
        told.clear();
        return [{ type: 'start', sessionId }];
      case 'text-delta':
        told.set(event.blockId, (told.get(event.blockId) ?? 0) + event.delta.length);
        return [{ type: 'text', sessionId, content: event.delta }];
      case 'text-end': {
        const content = event.text.slice(told.get(event.blockId) ?? 0);
        told.set(event.blockId, event.text.length);
        return content === '' ? [] : [{ type: 'text', sessionId, content }];
      }
      case 'tool-call-start':
        return [{ type: 'tool', sessionId, id: event.toolCallId, name: event.toolName }];
      case 'tool-call-input-end':
        return [{ type: 'tool', sessionId, id: event.toolCallId, input: event.input }];
      case 'tool-call-end': {
        const content = event.content.map(textOf).join('\n');
        return [{ type: 'tool-end', sessionId, id: event.toolCallId, content, isError: event.outcome !== 'success' }];
      }
      case 'turn-end': {
        const { outcome, error, usage, cost } = event;
        const totalTokens = usage && { input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0 };
        return [
          {
            type: 'end',
            sessionId,
            success: outcome === 'success',
            error: error?.message,
            aborted: outcome === 'cancelled',
            totalTokens,
            costUsd: cost?.currency === 'USD' ? cost.amount : undefined,
          },
        ];
      }
      default:
        return [];
    }
  };
}

function textOf(part: ContentPart): string {
  if (part.type === 'text') return part.text;
  return part.type === 'json' ? JSON.stringify(part.value) : `[${part.type}]`;
}
