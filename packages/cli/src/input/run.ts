// Reads a stream to its end and hands out its events chunk by chunk. If the input breaks, what was read is still told whole.

import { type AgentStreamEvent, createDecoder } from '@tailrace/core';
import type { StreamOptions } from './options.ts';
import { readBytes } from './read.ts';

/** The part of the options that says what to read. */
type InputOptions = Pick<StreamOptions, 'file' | 'agent' | 'maxLineBytes'> & { readonly about?: unknown };

export interface Reading {
  /** Lines that were read, blank ones left out. */
  readonly lines: number;
  /** Why the input broke off, if it did: to be thrown when everything that was read has been told. */
  readonly failure: Error | undefined;
}

export async function readEvents(
  options: InputOptions,
  receive: (events: readonly AgentStreamEvent[]) => void | Promise<void>,
): Promise<Reading> {
  const decoder = createDecoder({
    agent: options.agent,
    maxLineBytes: options.maxLineBytes,
    about: options.about,
  });
  let failure: Error | undefined;
  try {
    for await (const bytes of readBytes(options.file)) {
      const events = decoder.feed(bytes);
      if (events.length > 0) await receive(events);
    }
  } catch (error) {
    // A file that is not there has nothing to tell.
    if (decoder.stats.bytes === 0 || !(error instanceof Error)) throw error;
    failure = error;
  }
  await receive(decoder.end());
  return { lines: decoder.stats.lines, failure };
}
