// What a command reads: a pipe or a file as it comes, or a capture or session's file with the files that belong to it. Those are
// merged by code of their own, which a pipe does not wait for.

import type { AgentStreamEvent, Ledger } from '@tailrace/core';
import { UsageError } from '../failure.ts';
import type { StreamOptions } from './options.ts';
import { type Reading, readEvents, type StreamInput } from './read-stream.ts';

export type InputOptions = Pick<StreamOptions, 'file' | 'agent' | 'maxLineBytes' | 'transcripts' | 'record'> &
  Pick<StreamInput, 'tap' | 'until' | 'onTurn'>;

type Receive = (events: readonly AgentStreamEvent[]) => void | Promise<void>;

export interface Input {
  /** What it has cost, when it is made of several streams. */
  readonly ledger: Ledger | undefined;
  /** Whether it is kept while it is read. */
  readonly isRecorded: boolean;
  read(receive: Receive): Promise<Reading>;
}

/** Looks what belongs to the input. What is to be kept as well is kept while it is read. */
export async function openInput(options: InputOptions): Promise<Input> {
  // Whatever a person types there is no stream, and they would wait for ever.
  if (options.file === '-' && process.stdin.isTTY)
    throw new UsageError('there is nothing to read: name a file, or pipe a stream into it');
  if (!options.record) return open(options);
  if (options.file !== '-')
    throw new UsageError('--record keeps what comes through a pipe; a file is taken in by "tailrace import FILE"');
  const { recordPipe } = await import('../history/record-pipe.ts');
  const record = await recordPipe();
  const input = await open({ ...options, tap: record?.take });
  return {
    ledger: input.ledger,
    isRecorded: record !== undefined,
    async read(receive) {
      const reading = await input.read((events) => {
        record?.hear(events);
        return receive(events);
      });
      // Whoever asked for a record has to notice that there is none, or only a part of one.
      const isKept = (await record?.close()) ?? false;
      return isKept ? reading : { ...reading, failure: reading.failure ?? new Error('not all of it is kept') };
    },
  };
}

async function open(options: InputOptions): Promise<Input> {
  // A file that still grows is read as a pipe is.
  const isLive = options.file === '-' || options.until !== undefined;
  const companions = isLive ? [] : await (await import('./companions.ts')).companionsOf(options);
  if (companions.length === 0 && options.transcripts.length === 0) {
    return { ledger: undefined, isRecorded: false, read: (receive) => readEvents(options, receive) };
  }
  const { mergeInput } = await import('./merge.ts');
  return mergeInput(options, companions);
}
