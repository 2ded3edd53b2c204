// Bytes from anything that can be read → events, as an async iterable.

import { createDecoder } from '../create-decoder.ts';
import type { DecoderOptions } from '../decoder.ts';
import type { AgentStreamEvent } from '../event/event.ts';
import { type ByteSource, type CancelSignal, readerOf, readUntil } from '../lines/bytes.ts';

export type { ByteReader, ByteSource, CancelSignal } from '../lines/bytes.ts';

export interface DecodeOptions extends Partial<DecoderOptions> {
  /** Ends the reading: what was open is closed as cancelled, and the source is released. */
  readonly signal?: CancelSignal | undefined;
}

/**
 * Reads a source to its end. A source that fails makes the iteration fail, after what it gave has come out.
 *
 * @example
 * for await (const event of decode(child.stdout)) if (event.type === 'text-delta') write(event.delta);
 */
export async function* decode(source: ByteSource, options: DecodeOptions = {}): AsyncGenerator<AgentStreamEvent, void> {
  const { signal, ...decoderOptions } = options;
  const decoder = createDecoder(decoderOptions);
  const reader = readerOf(source);
  let isOver = false;
  try {
    while (!signal?.aborted) {
      const next = await (signal ? readUntil(signal, reader) : reader.read());
      if (next === undefined || next.done) {
        isOver = next !== undefined;
        break;
      }
      if (next.value) yield* decoder.feed(next.value);
    }
    yield* decoder.end(signal?.aborted ? { signal: 'SIGTERM' } : {});
  } finally {
    // A source that is silent answers only when it speaks again: whoever cancelled does not wait for that.
    const released = isOver ? undefined : reader.cancel();
    if (signal?.aborted) released?.catch(() => {});
    else await released;
  }
}
