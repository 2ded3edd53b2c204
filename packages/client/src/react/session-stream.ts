// A session on the server as a stream of signals: the answers of its main thread, one after the other.

import { type AgentStreamEvent, type ContentPart, hasFailed } from '@tailrace/core';
import type { EventMessage } from '@tailrace/protocol';
import type { Client } from '../client.ts';
import type { FeedMessage } from '../feed/message.ts';
import type { StreamSignal, StreamSource } from '../stream-source.ts';
import { createTurnSignals } from '../turn-signals.ts';

export function sessionStream(client: Client, sessionId: string): StreamSource {
  return {
    subscribe(listener) {
      const end = new AbortController();
      let signalsOf = createSignals(sessionId);
      function tell(message: FeedMessage): void {
        if (end.signal.aborted) return;
        if (message.type === 'event') signalsOf(message.event).forEach(listener);
        // An answer that was broken off has ended too.
        else if (message.type === 'ended') message.events.flatMap(signalsOf).forEach(listener);
        else if (message.type === 'reset') {
          signalsOf = createSignals(sessionId);
          listener({ type: 'start', sessionId });
        }
      }
      const hear = inOrder(tell, (message) =>
        message.type === 'event' && message.cut !== undefined && isShown(message.event)
          ? whole(client, message, end.signal)
          : undefined,
      );
      const subscription = client.subscribe({ view: 'events', sessions: [sessionId] }, (messages) => {
        for (const message of messages) hear(message);
      });
      return () => {
        end.abort();
        subscription.close();
      };
    },
  };
}

/** What has to be loaded first holds back what comes behind it. */
function inOrder<M>(tell: (message: M) => void, load: (message: M) => Promise<M> | undefined): (message: M) => void {
  const waiting: M[] = [];
  let isLoading = false;
  function go(): void {
    while (!isLoading) {
      const message = waiting.shift();
      if (message === undefined) return;
      const loading = load(message);
      if (loading) {
        isLoading = true;
        loading.then((loaded) => {
          isLoading = false;
          tell(loaded);
          go();
        });
      } else tell(message);
    }
  }
  return (message) => {
    waiting.push(message);
    go();
  };
}

function isShown({ type, subagentId }: AgentStreamEvent): boolean {
  return (
    subagentId === undefined && (type === 'text-end' || type === 'tool-call-input-end' || type === 'tool-call-end')
  );
}

/** A long event travels with the beginnings of its texts. Where the rest cannot be had, the text says that it goes on. */
async function whole(client: Client, message: EventMessage, signal: AbortSignal): Promise<EventMessage> {
  const { sessionId, position, event } = message;
  try {
    const items = await client.http.wholeEvents(sessionId, position, { signal });
    const found = items.find((item) => item.event.type === event.type && idOf(item.event) === idOf(event));
    if (found) return found;
  } catch {
    // The server is gone, or the line is.
  }
  return event.type === 'text-end' ? { ...message, event: { ...event, text: `${event.text} […]` } } : message;
}

function idOf(event: AgentStreamEvent): string | undefined {
  if (event.type === 'text-end') return event.blockId;
  return event.type === 'tool-call-input-end' || event.type === 'tool-call-end' ? event.toolCallId : undefined;
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
  const ended = new Set<string>();

  return (event) => {
    // What a sub-agent says is no part of the answer.
    if (event.subagentId !== undefined) return [];
    switch (event.type) {
      case 'turn-start':
        // Turns may overlap: a block of the one before may go on.
        for (const blockId of ended) told.delete(blockId);
        ended.clear();
        return [];
      case 'text-delta':
        told.set(event.blockId, (told.get(event.blockId) ?? 0) + event.delta.length);
        return [{ type: 'text', sessionId, content: event.delta }];
      case 'text-end': {
        const content = event.text.slice(told.get(event.blockId) ?? 0);
        told.set(event.blockId, event.text.length);
        ended.add(event.blockId);
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
