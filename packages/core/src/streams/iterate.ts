// Bytes from anything that can be read → events, as an async iterable.

import { createDecoder } from '../create-decoder.ts';
import type { DecoderOptions } from '../decoder.ts';
import type { AgentStreamEvent } from '../event/event.ts';

/** What `decode` needs of a Web stream, a Node stream or a Blob: their types belong to hosts, not to the core. */
export type ByteSource =
  | AsyncIterable<Uint8Array>
  | { getReader(): ByteReader }
  | { stream(): { getReader(): ByteReader } };

export interface ByteReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
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
  const cancelled = cancellation(signal);
  let isOver = false;
  try {
    while (!signal?.aborted) {
      const next = await Promise.race([reader.read(), cancelled.promise]);
      if (next === undefined || next.done) {
        isOver = next !== undefined;
        break;
      }
      if (next.value) yield* decoder.feed(next.value);
    }
    yield* decoder.end(signal?.aborted ? { signal: 'SIGABRT' } : {});
  } finally {
    cancelled.release();
    if (!isOver) await reader.cancel();
  }
}

function readerOf(source: ByteSource): ByteReader {
  if (Symbol.asyncIterator in source) {
    const iterator = source[Symbol.asyncIterator]();
    return {
      async read() {
        const { done, value } = await iterator.next();
        return { done: done === true, value };
      },
      async cancel() {
        await iterator.return?.();
      },
    };
  }
  return 'getReader' in source ? source.getReader() : source.stream().getReader();
}

/** A promise that resolves when the signal is given, and a way to stop listening. */
function cancellation(signal: CancelSignal | undefined): { promise: Promise<undefined>; release(): void } {
  let release = (): void => {};
  const promise = new Promise<undefined>((resolve) => {
    if (!signal) return;
    const listener = (): void => resolve(undefined);
    signal.addEventListener('abort', listener);
    release = () => signal.removeEventListener('abort', listener);
  });
  return { promise, release };
}
