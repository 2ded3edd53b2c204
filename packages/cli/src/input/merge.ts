// A capture or a session's file with the files that belong to it: one stream of events. Files are read side by side, in the
// order of the agent's own times; a pipe is shown as it comes, and its files after it.

import { type AgentStreamEvent, createSession, type SessionStream } from '@tailrace/core';
import { UsageError } from '../failure.ts';
import { type Companion, companionsOf } from './companions.ts';
import { type Reading, readEvents, readStream } from './run.ts';
import type { Input, InputOptions } from './session.ts';

/** The input and `own`, the files of its sub-agents, and the session files that were named, as one. */
export function mergeInput(options: InputOptions, own: readonly Companion[]): Input {
  const session = createSession();
  return {
    ledger: session.ledger,
    async read(receive) {
      const isCapture = options.transcripts.length > 0;
      const first: Source = {
        file: options.file,
        source: isCapture ? 'stdout' : 'transcript',
        about: undefined,
        has: isAny,
      };
      const seen = new Set<string>();
      const readings: Reading[] = [];
      const fold = async (sources: readonly Source[]): Promise<void> => {
        for await (const { stream, events, reading } of inOrder(options, sources)) {
          if (reading) readings.push(reading);
          addIds(seen, events);
          const fresh = events.flatMap((event) => session.add(stream, event));
          if (fresh.length > 0) await receive(fresh);
        }
      };
      // What comes through a pipe comes once, and is shown at once.
      const isPipe = options.file === '-';
      if (isPipe) await fold([first]);
      else if (isCapture) await readEvents(options, (events) => addIds(seen, events));
      const files = [...own.map(sourceOf), ...(await transcriptSources(options, seen))];
      await fold(isPipe ? files : [first, ...files]);
      await receive(session.end());
      return {
        lines: readings.reduce((sum, { lines }) => sum + lines, 0),
        failure: readings.find(({ failure }) => failure)?.failure,
      };
    },
  };
}

interface Source {
  readonly file: string;
  readonly source: SessionStream['source'];
  readonly about: unknown;
  /** Whether the event is about what the input is about. */
  has(event: AgentStreamEvent): boolean;
}

const isAny = (): boolean => true;

function sourceOf({ file, about }: Companion): Source {
  return { file, about, source: 'transcript', has: isAny };
}

interface Batch {
  readonly stream: SessionStream;
  readonly events: readonly AgentStreamEvent[];
  readonly reading: Reading | undefined;
}

/** Reads several streams side by side: the one whose next event is the oldest goes on. */
async function* inOrder(options: InputOptions, sources: readonly Source[]): AsyncGenerator<Batch, void> {
  const readers = sources.map((source) => ({
    source,
    batches: readStream({ ...options, file: source.file, about: source.about }),
    stream: { id: source.file, source: source.source },
    waiting: [] as readonly AgentStreamEvent[],
    next: 0,
    time: 0,
    isOver: false,
  }));
  for (;;) {
    for (const reader of readers) {
      if (reader.isOver || reader.next < reader.waiting.length) continue;
      const { done, value } = await reader.batches.next();
      if (done) {
        reader.isOver = true;
        yield { stream: reader.stream, events: [], reading: value };
      } else {
        reader.waiting = value.filter(reader.source.has);
        reader.next = 0;
      }
    }
    const open = readers.filter(({ isOver }) => !isOver);
    if (open.length === 0) return;
    const ready = open.filter(({ next, waiting }) => next < waiting.length);
    if (ready.length < open.length) continue;
    for (const reader of ready) reader.time = reader.waiting[reader.next]?.time ?? reader.time;
    const oldest = ready.reduce((best, reader) => (reader.time < best.time ? reader : best));
    const others = Math.min(...ready.filter((reader) => reader !== oldest).map(({ time }) => time));
    const from = oldest.next;
    while (oldest.next < oldest.waiting.length && (oldest.waiting[oldest.next]?.time ?? oldest.time) <= others) {
      oldest.time = oldest.waiting[oldest.next]?.time ?? oldest.time;
      oldest.next++;
    }
    yield { stream: oldest.stream, events: oldest.waiting.slice(from, oldest.next), reading: undefined };
  }
}

/** The session's files that were named, each with the files of its sub-agents, as far as they are about the capture's run. */
async function transcriptSources(options: InputOptions, seen: Set<string>): Promise<readonly Source[]> {
  const sources: Source[] = [];
  for (const file of options.transcripts) {
    const part = await partOf({ ...options, file }, seen);
    sources.push({ file, source: 'transcript', about: undefined, has: part.has });
    const companions = await companionsOf(file);
    sources.push(...companions.filter((one) => part.isWhole || isStartedBy(one, seen)).map(sourceOf));
  }
  return sources;
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
async function partOf(options: InputOptions, seen: Set<string>): Promise<Part> {
  let prompt: AgentStreamEvent | undefined;
  let begin: AgentStreamEvent | undefined;
  let isShared = false;
  let hasEarlier = false;
  const calls: string[] = [];
  await readEvents(options, (events) => {
    for (const event of events) {
      if (!isShared && idsOf(event).some((id) => seen.has(id))) {
        isShared = true;
        begin = event.type === 'user-message' ? event : (prompt ?? event);
      } else if (!isShared && event.type === 'user-message' && event.origin !== 'injected') prompt = event;
      else if (!isShared && event.type === 'message-start' && event.subagentId === undefined) hasEarlier = true;
      if (isShared && event.type === 'tool-call-start') calls.push(event.toolCallId);
    }
  });
  if (!isShared && seen.size > 0)
    throw new UsageError(`${options.file} is of another session: it has no line of the capture`);
  for (const id of calls) seen.add(id);
  if (!isShared || !hasEarlier) return { isWhole: true, has: isAny };
  const { line = 0, time = 0 } = begin ?? {};
  return {
    isWhole: false,
    has(event) {
      if (event.type.startsWith('session-')) return true;
      // Totals of the whole session say nothing about one run.
      if (event.type === 'usage-update' && event.scope === 'session') return (event.since ?? 0) >= time;
      return (event.line ?? 0) >= line;
    },
  };
}

/** What is told about a sub-agent names the call that started it. */
function isStartedBy({ about }: Companion, seen: ReadonlySet<string>): boolean {
  if (typeof about !== 'object' || about === null) return false;
  return Object.values(about).some((value) => typeof value === 'string' && seen.has(value));
}

function addIds(seen: Set<string>, events: readonly AgentStreamEvent[]): void {
  for (const event of events) for (const id of idsOf(event)) seen.add(id);
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
