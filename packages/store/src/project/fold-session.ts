// The lines of a session's streams → its events and rows. Each stream has its own decoder; the fold of core lets each thing through
// once. The lines come in the order of the record, so that the result is always the same.

import {
  type AgentStreamEvent,
  agents,
  countedAgent,
  createDecoder,
  createSession,
  createSummary,
  type Decoder,
  type Json,
  type LedgerEntry,
  type LineSource,
  LONGEST_LINE_BYTES,
  type PriceTable,
  type SessionStream,
  type Summary,
} from '@tailrace/core';
import type { StreamKind } from '../contract.ts';
import { createChunks, type Told } from './chunks.ts';
import { createRowMaker } from './make-rows.ts';
import type { Place, RowChanges, SessionHead } from './rows.ts';
import { createSpan } from './span.ts';

/** A stream as it is decoded. */
export interface FoldedStream {
  readonly name: string;
  readonly kind: StreamKind;
  readonly agent: string | undefined;
  readonly about: Json;
}

export interface FoldedLine {
  readonly position: number;
  readonly stream: string;
  readonly seq: number;
  readonly at: number;
  readonly source: LineSource;
  readonly bytes: Uint8Array;
}

export interface SessionFolding {
  /** A stream has to be known before its first line. */
  attach(stream: FoldedStream): void;
  /** Takes the next line. Never throws: what goes wrong is told in the session itself. */
  feed(line: FoldedLine): void;
  /** Nobody writes any more: closes what is open. Nothing can be fed after it. */
  end(): void;
  /** What is new since the last time. */
  take(): RowChanges;
  head(): SessionHead;
  /** How far lines have told something, with a digest of it; and the digest at the mark. */
  told(): Told;
  mark(position: number): void;
  toldAtMark(): string;
  /** How much waits to be taken, roughly in bytes. */
  readonly waiting: number;
  /** How much it keeps in memory, roughly in bytes. */
  readonly size: number;
}

export interface FoldOptions {
  readonly prices?: PriceTable | undefined;
  /** Another decoder, for a test. */
  readonly makeDecoder?: ((stream: FoldedStream) => Decoder) | undefined;
}

/** Even a session without a word needs its decoder. */
const LEAST_SIZE = 64 * 1024;

/** Begins a session that nothing is known of yet. */
export function foldSession(options: FoldOptions = {}): SessionFolding {
  const makeDecoder = options.makeDecoder ?? decoderOf;
  const session = createSession({ prices: options.prices });
  const summary = createSummary({ ledger: session.ledger });
  const rows = createRowMaker();
  const chunks = createChunks();
  const streams = new Map<string, { readonly stream: SessionStream; readonly decoder: Decoder; last: Place }>();
  let last: Place | undefined;
  let size = LEAST_SIZE;
  let isEnded = false;
  const span = createSpan();

  function take(events: readonly AgentStreamEvent[], place: Place, told: AgentStreamEvent[]): void {
    for (const event of events) {
      summary.add(event);
      rows.add(event, place);
      span.add(event, place);
      told.push(event);
    }
  }

  /** Whatever goes wrong with one line, the others are still told. */
  function guard(place: Place, told: AgentStreamEvent[], work: () => void): void {
    try {
      work();
    } catch (error) {
      told.push(noticeOf(place, error));
    }
  }

  function keep(position: number, told: readonly AgentStreamEvent[], place: Place, line?: Uint8Array): void {
    try {
      chunks.add(position, told, line);
    } catch (error) {
      // The events of the longest lines may be longer than any text can be.
      chunks.add(position, [noticeOf(place, error)]);
    }
  }

  return {
    get waiting() {
      return rows.waiting + chunks.waiting;
    },
    get size() {
      return size;
    },
    attach(stream) {
      if (streams.has(stream.name)) return;
      streams.set(stream.name, {
        stream: { id: stream.name, source: stream.kind === 'transcript' ? 'transcript' : 'stdout' },
        decoder: makeDecoder(stream),
        last: { position: 0, stream: stream.name, seq: 0, at: 0, isLive: stream.kind !== 'transcript' },
      });
    },
    feed({ position, stream: name, seq, at, source, bytes }) {
      const from = streams.get(name);
      if (!from || isEnded) return;
      const place: Place = { position, stream: name, seq, at, isLive: from.last.isLive };
      from.last = place;
      last = place;
      size += bytes.length;
      const told: AgentStreamEvent[] = [];
      guard(place, told, () => {
        for (const event of from.decoder.feed(bytes, { at, source })) {
          take(session.add(from.stream, event), place, told);
          rows.hear(event);
        }
      });
      keep(position, told, place, bytes);
    },
    end() {
      if (isEnded || !last) return;
      isEnded = true;
      const told: AgentStreamEvent[] = [];
      for (const from of streams.values()) {
        guard(from.last, told, () => {
          for (const event of from.decoder.end()) take(session.add(from.stream, event), from.last, told);
        });
      }
      const place = last;
      guard(place, told, () => take(session.end(), place, told));
      // No line told these: they stand behind the last one, and before the next.
      keep(place.position + 0.5, told, place);
    },
    take: () => ({ ...rows.take(), chunks: chunks.take() }),
    told: chunks.told,
    mark: chunks.mark,
    toldAtMark: chunks.toldAtMark,
    head() {
      let lines = 0;
      for (const { decoder } of streams.values()) lines += decoder.stats.lines;
      const whole = summary.summary(lines);
      return {
        summary: whole,
        cwd: whole.cwd ?? rows.cwd,
        agentTitle: rows.agentTitle,
        firstPrompt: rows.firstPrompt(),
        lastText: rows.lastText(),
        startedAt: span.range()?.start ?? last?.at ?? null,
        endedAt: span.range()?.end ?? last?.at ?? null,
        isEnded,
        checkpoints: rows.checkpoints(),
        entries: entriesOf(session.ledger.entries(), whole, [...streams.keys()][0]),
      };
    },
  };
}

/**
 * The parts of the bill under names that count over all sessions. Where forks copy the lines of another session, an answer is known by
 * its id wherever it stands. Other agents' sessions share nothing, and many of them count their answers from one.
 */
function entriesOf(
  entries: readonly LedgerEntry[],
  { agent, sessionId }: Summary,
  stream: string | undefined,
): readonly LedgerEntry[] {
  if (agent === countedAgent) return entries;
  const session = sessionId ?? stream ?? '';
  return entries.map((entry) => ({ ...entry, id: `${agent ?? ''} ${session} ${entry.id}` }));
}

function noticeOf({ seq, stream }: Place, error: unknown): AgentStreamEvent {
  const title = `Line ${seq} of ${stream} could not be told: ${String(error)}`;
  return { type: 'notice', seq: 0, severity: 'error', title, nativeCode: 'history', synthetic: true };
}

/** The decoder of a stream. An agent that nobody knows any more is looked for in the lines. */
export function decoderOf({ agent, about }: Pick<FoldedStream, 'agent' | 'about'>): Decoder {
  const isKnown = agents.some(({ name }) => name === agent);
  return createDecoder({ agent: isKnown ? agent : 'auto', about, maxLineBytes: LONGEST_LINE_BYTES });
}
