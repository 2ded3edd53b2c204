// The part that a line of the record has become, for whoever knows only the line.

import { type FoldedView, findPart, partIdOf } from '@tailrace/client/timeline';

export function partAt(
  { conversation, events, makers }: Pick<FoldedView, 'conversation' | 'events' | 'makers'>,
  position: number,
): string | undefined {
  const own = new Set<number>();
  for (const [index, message] of events.entries()) {
    if (message.position !== position) continue;
    own.add(index);
    const id = partIdOf(message.event);
    if (id !== undefined && findPart(conversation, id)) return id;
  }
  const arrivals = new Set(makers.flatMap((maker, arrival) => (own.has(maker) ? arrival : [])));
  for (const chunk of conversation.parts) {
    for (const part of chunk) {
      const [, , , arrival] = part.order;
      if (arrivals.has(arrival)) return part.id;
    }
  }
  return undefined;
}
