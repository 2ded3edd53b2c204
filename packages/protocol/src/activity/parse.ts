// Lines as they come → activity messages as they are known.

import { type AgentStreamEvent, createDecoder } from '@tailrace/core';
import { type ActivityOptions, createActivity } from './activity.ts';
import type { ActivityMessage } from './messages.ts';

export interface ParseActivityOptions extends Omit<ActivityOptions, 'workOrderId' | 'runId'> {
  /** The agent's name; found out unless set. */
  readonly agent?: string | undefined;
  /** The clock of arrivals; none: only the agent's own times count. */
  readonly now?: (() => number) | undefined;
  /** Hears of it when the lines end with an error. What came before it was told. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * The messages of a run whose lines come from anywhere, in order, with progress. It never throws: a source that fails ends it, and
 * what was open is closed.
 *
 * @example
 * for await (const message of parseActivity(readline.createInterface(child.stdout), 'order-7', 'run-1')) send(message);
 */
export async function* parseActivity(
  lines: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  workOrderId: string,
  runId: string,
  options: ParseActivityOptions = {},
): AsyncGenerator<ActivityMessage, void> {
  const { agent, now = Date.now, onError, ...rest } = options;
  const decoder = createDecoder({ agent: agent ?? 'auto' });
  const activity = createActivity({ ...rest, workOrderId, runId });
  const encoder = new TextEncoder();
  const tell = (events: readonly AgentStreamEvent[]): readonly ActivityMessage[] =>
    events.flatMap((event) => activity.add(event));
  try {
    for await (const line of lines) {
      // A line of text has lost its end, a piece of bytes has its own.
      const bytes = typeof line === 'string' ? encoder.encode(`${line}\n`) : line;
      yield* tell(decoder.feed(bytes, { at: now() }));
    }
  } catch (error) {
    onError?.(error);
  }
  yield* tell(decoder.end());
}
