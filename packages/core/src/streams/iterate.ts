// Bytes from anything that can be read → events, as an async iterable.

import { createDecoder } from '../create-decoder.ts';
import type { DecoderOptions } from '../decoder.ts';
import type { AgentStreamEvent } from '../event/event.ts';
import { type ByteSource, type CancelSignal, type Piece, readerOf, readUntil } from '../lines/bytes.ts';

export type { ByteReader, ByteSource, CancelSignal } from '../lines/bytes.ts';

export interface DecodeOptions extends Partial<DecoderOptions> {
  /** Ends the reading: what was open is closed as cancelled, and the source is released. */
  readonly signal?: CancelSignal | undefined;
}

/**
 * Reads a source to its end. A source that fails makes the iteration fail, after what it gave has come out. Whoever leaves lets it go
 * at once, also while it is silent.
 *
 * @example
 * for await (const event of decode(child.stdout)) if (event.type === 'text-delta') write(event.delta);
 */
export function decode(source: ByteSource, options: DecodeOptions = {}): AsyncGenerator<AgentStreamEvent, void> {
  const leaving: Leaving = { hasLeft: false, leave: () => {} };
  const events = readEvents(source, options, leaving);
  const end = events.return.bind(events);
  // By itself a generator hears of it only when what it waits for has come.
  events.return = (value) => {
    leaving.hasLeft = true;
    leaving.leave();
    return end(value);
  };
  return events;
}

interface Leaving {
  hasLeft: boolean;
  /** Ends the wait for the next piece. */
  leave: () => void;
}

async function* readEvents(
  source: ByteSource,
  { signal, ...decoderOptions }: DecodeOptions,
  leaving: Leaving,
): AsyncGenerator<AgentStreamEvent, void> {
  const decoder = createDecoder(decoderOptions);
  const reader = readerOf(source);
  const read = (): Promise<Piece | undefined> =>
    new Promise((resolve, reject) => {
      leaving.leave = () => resolve(undefined);
      (signal ? readUntil(signal, reader) : reader.read()).then(resolve, reject);
    });
  let isOver = false;
  try {
    while (!signal?.aborted) {
      const next = await read();
      if (leaving.hasLeft) return;
      if (next === undefined || next.done) {
        isOver = next !== undefined;
        break;
      }
      if (next.value) yield* decoder.feed(next.value);
    }
    yield* decoder.end(signal?.aborted ? { signal: 'SIGTERM' } : {});
  } finally {
    // A source that is silent answers only when it speaks again: whoever cancelled or left does not wait for that.
    const released = isOver ? undefined : reader.cancel();
    if (signal?.aborted || leaving.hasLeft) released?.catch(() => {});
    else await released;
  }
}
