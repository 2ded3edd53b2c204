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
  const reading: Reading = { state: 'not begun', leave: () => {} };
  const events = readEvents(source, options, reading);
  /** By itself a generator hears of it only when what it waits for has come, and one that has not begun never. */
  function leave(): void {
    if (reading.state === 'not begun')
      readerOf(source)
        .cancel()
        .catch(() => {});
    if (reading.state === 'waiting') reading.leave();
  }
  const [end, fail] = [events.return.bind(events), events.throw.bind(events)];
  events.return = (value) => {
    leave();
    return end(value);
  };
  events.throw = (error) => {
    leave();
    return fail(error);
  };
  return events;
}

interface Reading {
  state: 'not begun' | 'waiting' | 'telling' | 'left';
  /** Ends the wait for the next piece. */
  leave: () => void;
}

async function* readEvents(
  source: ByteSource,
  { signal, ...decoderOptions }: DecodeOptions,
  reading: Reading,
): AsyncGenerator<AgentStreamEvent, void> {
  reading.state = 'telling';
  const hasLeft = (): boolean => reading.state === 'left';
  const decoder = createDecoder(decoderOptions);
  const reader = readerOf(source);
  const read = async (): Promise<Piece | undefined> => {
    reading.state = 'waiting';
    const left = new Promise<undefined>((resolve) => {
      reading.leave = () => {
        reading.state = 'left';
        resolve(undefined);
      };
    });
    const next = await Promise.race([left, signal ? readUntil(signal, reader) : reader.read()]);
    if (reading.state === 'waiting') reading.state = 'telling';
    return next;
  };
  let isOver = false;
  try {
    while (!signal?.aborted) {
      const next = await read();
      if (hasLeft()) return;
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
    if (signal?.aborted || hasLeft()) released?.catch(() => {});
    else await released;
  }
}
