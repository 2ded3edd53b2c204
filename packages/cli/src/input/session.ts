// What a command reads: a pipe or a file as it comes, or a capture or session's file with the files that belong to it. Those are
// merged by code of their own, which a pipe does not wait for.

import type { AgentStreamEvent, Ledger } from '@tailrace/core';
import { companionsOf } from './companions.ts';
import type { StreamOptions } from './options.ts';
import { type Reading, readEvents } from './run.ts';

export type InputOptions = Pick<StreamOptions, 'file' | 'agent' | 'maxLineBytes' | 'transcripts'>;

type Receive = (events: readonly AgentStreamEvent[]) => void | Promise<void>;

export interface Input {
  /** What it has cost, when it is made of several streams. */
  readonly ledger: Ledger | undefined;
  read(receive: Receive): Promise<Reading>;
}

/** Looks what belongs to the input. */
export async function openInput(options: InputOptions): Promise<Input> {
  const companions = options.file === '-' ? [] : await companionsOf(options);
  if (companions.length === 0 && options.transcripts.length === 0) {
    return { ledger: undefined, read: (receive) => readEvents(options, receive) };
  }
  const { mergeInput } = await import('./merge.ts');
  return mergeInput(options, companions);
}
