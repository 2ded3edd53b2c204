// A capture or a session's file with the files that belong to it: one stream of events. Files are read side by side, in the
// order of the agent's own times; a pipe is shown as it comes, and its files after it.

import { type AgentStreamEvent, createSession, type SessionStream } from '@tailrace/core';
import { UsageError } from '../failure.ts';
import { type Companion, companionsOf } from './companions.ts';
import { type Reading, readEvents, readStream } from './read-stream.ts';
import type { Input, InputOptions } from './session.ts';

/** The input and `own`, the files of its sub-agents, and the session files that were named, as one. */
export function mergeInput(options: InputOptions, own: readonly Companion[]): Input {
  const session = createSession();
  return {
    ledger: session.ledger,
    isRecorded: false,
    async read(receive) {
      const seen = createTrace();
      const readings: Reading[] = [];
      const fold = async (sources: readonly Source[]): Promise<void> => {
        for await (const { stream, events, reading } of inOrder(options, sources)) {
          if (reading) readings.push(reading);
          seen.add(events);
          const fresh = events.flatMap((event) => session.add(stream, event));
          if (fresh.length > 0) await receive(fresh);
        }
      };
      // What comes through a pipe comes once, and is shown at once. A file is looked through first.
      const isPipe = options.file === '-';
      const first = { file: options.file, about: undefined, has: isAny };
      if (isPipe) await fold([{ ...first, source: 'stdout' }]);
      else await readEvents(options, seen.add);
      const source = seen.hasTurns() ? 'stdout' : 'transcript';
      const files = [...own.map(sourceOf), ...(await transcriptSources(options, seen))];
      const all: Source[] = isPipe ? files : [{ ...first, source }, ...files];
      // A few side by side; of very many, the rest in turn.
      await fold(all.slice(0, MAX_SIDE_BY_SIDE));
      for (const rest of all.slice(MAX_SIDE_BY_SIDE)) await fold([rest]);
      await receive(session.end());
      return {
        lines: readings.reduce((sum, { lines }) => sum + lines, 0),
        failure: readings.find(({ failure }) => failure)?.failure,
      };
    },
  };
}

/** Files that are open at once. */
const MAX_SIDE_BY_SIDE = 64;

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
    batches: readStream({
      ...options,
      file: source.file,
      about: source.about,
      tap: source.file === '-' ? options.tap : undefined,
    }),
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
    for (const reader of ready) reader.time = timeOf(reader.waiting[reader.next]) ?? reader.time;
    const oldest = ready.reduce((best, reader) => (reader.time < best.time ? reader : best));
    const others = Math.min(...ready.filter((reader) => reader !== oldest).map(({ time }) => time));
    const from = oldest.next;
    while (oldest.next < oldest.waiting.length && (timeOf(oldest.waiting[oldest.next]) ?? oldest.time) <= others) {
      oldest.time = timeOf(oldest.waiting[oldest.next]) ?? oldest.time;
      oldest.next++;
    }
    yield { stream: oldest.stream, events: oldest.waiting.slice(from, oldest.next), reading: undefined };
  }
}

/** When something happened. What was said to the model, and the agent's own remarks, do not always come in the order of their times. */
function timeOf(event: AgentStreamEvent | undefined): number | undefined {
  const isOrdered =
    event?.type.startsWith('tool-call-') || event?.type.startsWith('message-') || event?.type === 'text-end';
  return isOrdered ? event?.time : undefined;
}

/** The session's files that were named, each with the files of its sub-agents, as far as they are about the capture's run. */
async function transcriptSources(options: InputOptions, seen: Trace): Promise<readonly Source[]> {
  const sources: Source[] = [];
  for (const file of options.transcripts) {
    const part = await partOf({ ...options, file }, seen);
    sources.push({ file, source: part.source, about: undefined, has: part.has });
    const companions = await companionsOf({ ...options, file });
    sources.push(...companions.filter((one) => part.isWhole || isStartedBy(one, seen)).map(sourceOf));
  }
  return sources;
}

interface Part {
  readonly source: SessionStream['source'];
  /** Nothing of it was before the run. */
  readonly isWhole: boolean;
  has(event: AgentStreamEvent): boolean;
}

/**
 * The part of a session's file that tells about the run in the capture. A resumed session's file has all runs: this one begins
 * with the person's prompt before the first line that the capture has too.
 */
async function partOf(options: InputOptions, seen: Trace): Promise<Part> {
  const own = createTrace();
  const answers: AgentStreamEvent[] = [];
  let prompt: AgentStreamEvent | undefined;
  let begin: AgentStreamEvent | undefined;
  await readEvents(options, (events) => {
    own.add(events);
    for (const event of events) {
      if (begin) break;
      if (event.type === 'user-message' && event.origin !== 'injected') prompt = event;
      if (event.type === 'message-start' && event.subagentId === undefined) answers.push(event);
      if (idsOf(event).some((id) => seen.ids.has(id))) begin = prompt ?? event;
    }
  });
  if (own.ids.size === 0) throw new UsageError(`${options.file} is no file of a session`);
  const isKnown = [...own.sessions].some((id) => seen.sessions.has(id));
  if (!begin && !isKnown && seen.ids.size > 0)
    throw new UsageError(`${options.file} is of another session: it has no line of the capture`);
  const source = own.hasTurns() ? 'stdout' : 'transcript';
  const { line = 0, time = 0 } = begin ?? {};
  const isWhole = !begin || answers.every((answer) => (answer.line ?? 0) >= line);
  if (isWhole) return { source, isWhole, has: isAny };
  const dropped = new Set<string>();
  return {
    source,
    isWhole,
    has(event) {
      if (event.type.startsWith('session-')) return true;
      // Totals of the whole session say nothing about one run.
      if (event.type === 'usage-update' && event.scope === 'session') return (event.since ?? 0) >= time;
      // What began before may end after.
      const ids = thingsOf(event);
      const isIn = (event.line ?? 0) >= line && !ids.some((id) => dropped.has(id));
      if (!isIn) for (const id of ids) dropped.add(id);
      return isIn;
    },
  };
}

/** What is told about a sub-agent names the call that started it. */
function isStartedBy({ about }: Companion, seen: Trace): boolean {
  if (typeof about !== 'object' || about === null) return false;
  return Object.values(about).some((value) => typeof value === 'string' && seen.ids.has(value));
}

/** What a stream has shown: by this, two are known to be of one session. */
interface Trace {
  readonly ids: ReadonlySet<string>;
  readonly sessions: ReadonlySet<string>;
  /** Only what a run prints has turns; a session's file has none. */
  hasTurns(): boolean;
  add(events: readonly AgentStreamEvent[]): void;
}

function createTrace(): Trace {
  const ids = new Set<string>();
  const sessions = new Set<string>();
  let hasTurns = false;
  return {
    ids,
    sessions,
    hasTurns: () => hasTurns,
    add(events) {
      for (const event of events) {
        for (const id of idsOf(event)) ids.add(id);
        if (event.sessionId !== undefined) sessions.add(event.sessionId);
        if (event.type === 'turn-start') hasTurns = true;
      }
    },
  };
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

/** The things with a beginning and an end that an event is about. */
function thingsOf(event: AgentStreamEvent): readonly string[] {
  const things: string[] = [];
  if ('messageId' in event && event.messageId !== undefined && event.type !== 'user-message')
    things.push(event.messageId);
  if ('stepId' in event) things.push(event.stepId);
  if ('toolCallId' in event && event.toolCallId !== undefined) things.push(event.toolCallId);
  if ('taskId' in event) things.push(event.taskId);
  return things;
}
