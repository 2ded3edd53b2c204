// Bytes from anything that can be read → events, as an async iterable.

import { createDecoder } from '../create-decoder.ts';
import type { DecoderOptions } from '../decoder.ts';
import type { AgentStreamEvent } from '../event/event.ts';

/** What `decode` needs of a Web stream, a Node stream or a Blob: their types belong to hosts, not to the core. */
export type ByteSource =
  | AsyncIterable<Uint8Array>
  | { getReader(): ByteReader }
  | { stream(): { getReader(): ByteReader } };

interface Piece {
  readonly done: boolean;
  readonly value?: Uint8Array | undefined;
}

export interface ByteReader {
  read(): Promise<Piece>;
  cancel(reason?: unknown): Promise<void>;
}

/** What `decode` needs of an AbortSignal. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

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
    yield* decoder.end(signal?.aborted ? { signal: 'SIGABRT' } : {});
  } finally {
    // A source that is silent answers only when it speaks again: whoever cancelled does not wait for that.
    const released = isOver ? undefined : reader.cancel();
    if (signal?.aborted) released?.catch(() => {});
    else await released;
  }
}

function readerOf(source: ByteSource): ByteReader {
  if ('getReader' in source) return source.getReader();
  if ('stream' in source) return source.stream().getReader();
  const iterator = source[Symbol.asyncIterator]();
  return {
    async read() {
      const { done, value } = await iterator.next();
      return { done: done === true, value };
    },
    async cancel() {
      // A Node stream lets go at once when it is destroyed; an iterator only between two pieces.
      if ('destroy' in source && typeof source.destroy === 'function') source.destroy();
      await iterator.return?.();
    },
  };
}

/** The next piece, or nothing when the signal is given first. A listener per piece: one for all would keep every promise. */
function readUntil(signal: CancelSignal, reader: ByteReader): Promise<Piece | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    signal.addEventListener('abort', stop);
    reader
      .read()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
}
