// Reads a stream to its end and hands out its events chunk by chunk. If the input breaks, what was read is still told whole.

import { type AgentStreamEvent, createDecoder, type Decoder } from '@tailrace/core';
import type { FileTurn } from './follow.ts';
import type { StreamOptions } from './options.ts';
import { readBytes } from './read.ts';

/** The part of the options that says what to read, and what a file beside it tells. */
export type StreamInput = Pick<StreamOptions, 'file' | 'agent' | 'maxLineBytes'> & {
  readonly about?: unknown;
  /** The file is read on as it grows, until this comes. */
  readonly until?: AbortSignal | undefined;
  /** It was cut or replaced, and is read from its beginning, or it was removed. What was open before is over then. */
  readonly onTurn?: ((turn: FileTurn) => void | Promise<void>) | undefined;
  /** Sees the bytes before they are read. */
  readonly tap?: ((bytes: Uint8Array) => Promise<void> | undefined) | undefined;
};

export interface Reading {
  /** Lines that were read, blank ones left out. */
  readonly lines: number;
  /** Why the input broke off, if it did: to be thrown when everything that was read has been told. */
  readonly failure: Error | undefined;
}

/** The events of one stream as they become known, and in the end how the reading went. */
export async function* readStream(input: StreamInput): AsyncGenerator<readonly AgentStreamEvent[], Reading> {
  const { agent, maxLineBytes, about } = input;
  const begin = (): Decoder => createDecoder({ agent, maxLineBytes, about });
  let decoder = begin();
  let failure: Error | undefined;
  try {
    for await (const bytes of await bytesOf(input)) {
      if (typeof bytes === 'string') {
        // Another session may stand in it now: nothing of this one goes on.
        if (bytes === 'anew') {
          yield decoder.end();
          decoder = begin();
        }
        await input.onTurn?.(bytes);
        continue;
      }
      await input.tap?.(bytes);
      const events = decoder.feed(bytes);
      if (events.length > 0) yield events;
    }
  } catch (error) {
    // A file that is not there has nothing to tell.
    if (decoder.stats.bytes === 0 || !(error instanceof Error)) throw error;
    failure = error;
  }
  yield decoder.end();
  return { lines: decoder.stats.lines, failure };
}

async function bytesOf({ file, until }: StreamInput): Promise<AsyncIterable<Uint8Array | FileTurn>> {
  if (!until) return readBytes(file);
  const { followFile } = await import('./follow.ts');
  return followFile(file, until);
}

export async function readEvents(
  input: StreamInput,
  receive: (events: readonly AgentStreamEvent[]) => void | Promise<void>,
): Promise<Reading> {
  const batches = readStream(input);
  for (;;) {
    const next = await batches.next();
    if (next.done) return next.value;
    await receive(next.value);
  }
}
