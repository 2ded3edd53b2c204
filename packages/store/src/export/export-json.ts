import { type AgentStreamEvent, createRedactor, type FoundSecret, redactJson } from '@tailrace/core';
import { endedBy, pieceOf } from './delta-pieces.ts';
import { type ExportInput, type ExportOptions, eventsOf } from './input.ts';
import { createPieceQueue, type Released } from './pieces.ts';

/** The session's neutral events, one JSON object per line, as `tailrace events` prints them. */
export async function* exportJson(input: ExportInput, options: ExportOptions = {}): AsyncIterable<string> {
  if (options.redact === false) {
    for await (const event of eventsOf(input)) yield `${JSON.stringify(event)}\n`;
    return;
  }
  const onFound = ({ kind }: FoundSecret): void => options.onRedacted?.(kind);
  const queue = createPieceQueue<AgentStreamEvent>(onFound);

  function write({ item, shown: [piece] }: Released<AgentStreamEvent>): string {
    const { value, found } = redactJson(piece === undefined ? withoutOpenEnd(item) : withPiece(item, ''));
    found.forEach(onFound);
    // What `redactJson` gives has the form of what it got.
    const event = value as AgentStreamEvent;
    return `${JSON.stringify(piece === undefined ? event : withPiece(event, piece))}\n`;
  }

  for await (const event of eventsOf(input)) {
    const piece = pieceOf(event);
    for (const key of endedBy(event)) queue.end(key);
    for (const released of queue.add(event, piece ? [piece] : [])) yield write(released);
  }
  for (const released of queue.close()) yield write(released);
}

function withPiece(event: AgentStreamEvent, text: string): AgentStreamEvent {
  return event.type === 'tool-call-update'
    ? { ...event, outputDelta: text }
    : // Only events with a `delta` have a piece of it.
      ({ ...event, delta: text } as AgentStreamEvent);
}

/** What is printed so far may end in the middle of a secret: the beginning of one is left for the next event. */
function withoutOpenEnd(event: AgentStreamEvent): AgentStreamEvent {
  if (event.type !== 'tool-call-update' || event.outputSnapshot === undefined) return event;
  return { ...event, outputSnapshot: createRedactor().push(event.outputSnapshot) };
}
