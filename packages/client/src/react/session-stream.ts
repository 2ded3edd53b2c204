// A session on the server as a stream of signals: the answers of its main thread, one after the other.

import { type AgentStreamEvent, type ContentPart, hasFailed } from '@tailrace/core';
import type { Client } from '../client.ts';
import type { StreamSignal, StreamSource } from '../stream-source.ts';
import { createTurnSignals } from '../turn-signals.ts';

export function sessionStream(client: Client, sessionId: string): StreamSource {
  return {
    subscribe(listener) {
      let signalsOf = createSignals(sessionId);
      const subscription = client.subscribe({ view: 'events', sessions: [sessionId] }, (messages) => {
        for (const message of messages) {
          if (message.type === 'event') signalsOf(message.event).forEach(listener);
          // An answer that was broken off has ended too.
          else if (message.type === 'ended') message.events.flatMap(signalsOf).forEach(listener);
          else if (message.type === 'reset') {
            signalsOf = createSignals(sessionId);
            listener({ type: 'start', sessionId });
          }
        }
      });
      return () => subscription.close();
    },
  };
}

type Signals = (event: AgentStreamEvent) => readonly StreamSignal[];

function createSignals(sessionId: string): Signals {
  const turnsOf = createTurnSignals();
  const contentOf = createContentSignals(sessionId);
  return (event) => [...turnsOf(event).map((signal) => ({ ...signal, sessionId })), ...contentOf(event)];
}

function createContentSignals(sessionId: string): Signals {
  /** How much of each block was told: what was there before comes whole, what is new comes in pieces and then whole. */
  const told = new Map<string, number>();

  return (event) => {
    // What a sub-agent says is no part of the answer.
    if (event.subagentId !== undefined) return [];
    switch (event.type) {
      case 'turn-start':
        told.clear();
        return [];
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
        return [{ type: 'tool-end', sessionId, id: event.toolCallId, content, isError: hasFailed(event) }];
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
