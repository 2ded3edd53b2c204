// A capture or a session's file, with the files that belong to it: one stream of events, whatever it comes from.

import { type AgentStreamEvent, createSession, type Ledger, type Session, type SessionStream } from '@tailrace/core';
import { UsageError } from '../failure.ts';
import { type Companion, companionsOf } from './companions.ts';
import type { StreamOptions } from './options.ts';
import { type Reading, readEvents } from './run.ts';

type InputOptions = Pick<StreamOptions, 'file' | 'agent' | 'maxLineBytes' | 'transcripts'>;

type Receive = (events: readonly AgentStreamEvent[]) => void | Promise<void>;

export interface Input {
  /** What it has cost, when it is made of several streams. */
  readonly ledger: Ledger | undefined;
  read(receive: Receive): Promise<Reading>;
}

/** Looks what belongs to the input. A pipe, and a file with nothing beside it, is read as it comes. */
export async function openInput(options: InputOptions): Promise<Input> {
  const own = await companionsOf(options.file);
  if (own.length === 0 && options.transcripts.length === 0) {
    return { ledger: undefined, read: (receive) => readEvents(options, receive) };
  }
  const session = createSession();
  return { ledger: session.ledger, read: (receive) => readAll(options, own, session, receive) };
}

async function readAll(
  options: InputOptions,
  own: readonly Companion[],
  session: Session,
  receive: Receive,
): Promise<Reading> {
  const seen = new Set<string>();
  let lines = 0;
  let failure: Error | undefined;
  const read = async (
    file: string,
    about: unknown,
    source: SessionStream['source'],
    isWanted: (event: AgentStreamEvent) => boolean,
  ): Promise<void> => {
    const stream: SessionStream = { id: file, source };
    const reading = await readEvents({ ...options, file, about }, async (events) => {
      const fresh: AgentStreamEvent[] = [];
      for (const event of events) {
        if (!isWanted(event)) continue;
        for (const id of idsOf(event)) seen.add(id);
        fresh.push(...session.add(stream, event));
      }
      if (fresh.length > 0) await receive(fresh);
    });
    lines += reading.lines;
    failure ??= reading.failure;
  };
  const isCapture = options.transcripts.length > 0;
  await read(options.file, undefined, isCapture ? 'stdout' : 'transcript', () => true);
  for (const { file, about } of own) await read(file, about, 'transcript', () => true);
  for (const file of options.transcripts) {
    const part = await partOf({ ...options, file }, seen);
    await read(file, undefined, 'transcript', part.has);
    for (const companion of await companionsOf(file)) {
      if (part.isWhole || isStartedBy(companion, seen))
        await read(companion.file, companion.about, 'transcript', () => true);
    }
  }
  await receive(session.end());
  return { lines, failure };
}

interface Part {
  /** Nothing of it was before the run. */
  readonly isWhole: boolean;
  has(event: AgentStreamEvent): boolean;
}

/**
 * The part of a session's file that tells about the run in the capture. A resumed session's file has all runs: this one begins
 * with the prompt before the first line that the capture has too.
 */
async function partOf(options: InputOptions, seen: ReadonlySet<string>): Promise<Part> {
  let prompt: AgentStreamEvent | undefined;
  let begin: AgentStreamEvent | undefined;
  let isShared = false;
  let hasEarlier = false;
  await readEvents(options, (events) => {
    for (const event of events) {
      if (isShared) return;
      if (idsOf(event).some((id) => seen.has(id))) {
        isShared = true;
        begin = event.type === 'user-message' ? event : (prompt ?? event);
      } else if (event.type === 'user-message' && event.origin !== 'injected') prompt = event;
      else if (event.type === 'message-start' && event.subagentId === undefined) hasEarlier = true;
    }
  });
  if (!isShared && seen.size > 0)
    throw new UsageError(`${options.file} is of another session: it has no line of the capture`);
  const { line = 0, time } = begin ?? {};
  if (!isShared || !hasEarlier) return { isWhole: true, has: () => true };
  return {
    isWhole: false,
    has(event) {
      if (event.type === 'session-start' || event.type === 'session-update' || event.type === 'session-end')
        return true;
      // Totals of the whole session say nothing about one run.
      if (event.type === 'usage-update' && event.scope === 'session') return (event.since ?? 0) >= (time ?? 0);
      return (event.line ?? 0) >= line;
    },
  };
}

function isStartedBy({ about }: Companion, seen: ReadonlySet<string>): boolean {
  if (typeof about !== 'object' || about === null) return false;
  return Object.values(about).some((value) => typeof value === 'string' && seen.has(value));
}

/** The ids by which two streams are known to tell the same. */
function idsOf(event: AgentStreamEvent): readonly string[] {
  switch (event.type) {
    case 'message-start':
      return [event.messageId];
    case 'user-message':
      return event.messageId === undefined ? [] : [event.messageId];
    case 'tool-call-start':
      return [event.toolCallId];
    default:
      return event.lineId === undefined ? [] : [event.lineId];
  }
}
