// Events as they come, folded into a conversation; beside it every event with the line it came from, for whoever wants to see what the
// agent really said.

import { type AgentStreamEvent, type Conversation, createConversation, type Part, reduce } from '@tailrace/core';
import type { CutString, EventMessage } from '@tailrace/protocol';

export interface FoldedView {
  readonly conversation: Conversation;
  /** Every event that came, the first first. It only grows, and it is the same list all the time: `eventCount` tells how long it was. */
  readonly events: readonly EventMessage[];
  readonly eventCount: number;
  /** Which event made a part, by the part's number of arrival. It grows as the events do. */
  readonly makers: readonly number[];
  /** Strings that did not travel whole, by the part that shows them. */
  readonly cuts: ReadonlyMap<string, readonly CutString[]>;
}

export interface Folded {
  readonly eventCount: number;
  take(message: EventMessage): void;
  /** What came, and behind it what closes a session that nobody writes to. */
  view(closing?: readonly AgentStreamEvent[]): FoldedView;
}

export function createFolded(): Folded {
  let conversation = createConversation();
  const events: EventMessage[] = [];
  const makers: number[] = [];
  let cuts: ReadonlyMap<string, readonly CutString[]> = new Map();

  return {
    get eventCount() {
      return events.length;
    },
    take(message) {
      const { partCount } = conversation;
      conversation = reduce(conversation, message.event);
      for (let made = partCount; made < conversation.partCount; made++) makers[made] = events.length;
      events.push(message);
      const id = message.cut && partIdOf(message.event);
      if (message.cut && id !== undefined) cuts = new Map(cuts).set(id, [...(cuts.get(id) ?? []), ...message.cut]);
    },
    view: (closing = []) => ({
      conversation: closing.reduce(reduce, conversation),
      events,
      eventCount: events.length,
      makers,
      cuts,
    }),
  };
}

/** The part that shows an event, where an id tells it. */
export function partIdOf(event: AgentStreamEvent): string | undefined {
  if ('blockId' in event) return `block:${event.blockId}`;
  if ('toolCallId' in event && event.toolCallId !== undefined) return `call:${event.toolCallId}`;
  return undefined;
}

/** The event that a part came with. */
export function makerOf(
  { events, makers }: Pick<FoldedView, 'events' | 'makers'>,
  part: Part,
): EventMessage | undefined {
  const [, , , arrival] = part.order;
  return events[makers[arrival] ?? -1];
}
