// Bytes from anything that can be read: one face for Web streams, Node streams, iterables and Blobs.

/** What `decode` needs of a Web stream, a Node stream or a Blob: their types belong to hosts, not to the core. */
export type ByteSource =
  | AsyncIterable<Uint8Array>
  | { getReader(): ByteReader }
  | { stream(): { getReader(): ByteReader } };

export interface Piece {
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

export function readerOf(source: ByteSource): ByteReader {
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
export function readUntil(signal: CancelSignal, reader: ByteReader): Promise<Piece | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    signal.addEventListener('abort', stop);
    reader
      .read()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
}
