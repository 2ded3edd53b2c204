// The recorded runs, and the ways to decode them that the tests share.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type AgentStreamEvent,
  createDecoder,
  createSession,
  createSummary,
  type DecoderOptions,
  type Exit,
  type PriceTable,
  type SessionStream,
  type Summary,
} from '../src/index.ts';

const folder = fileURLToPath(new URL('../../../fixtures/claude/2.1.325/', import.meta.url));

export interface Capture {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The messages of its whole lines. */
  readonly messages: readonly Message[];
  readonly expected: Expected;
  readonly goldenPath: string;
  /** The CLI's own files of the same run. */
  readonly transcripts: readonly Transcript[];
}

export interface Transcript {
  readonly bytes: Uint8Array;
  /** Where it lay, below the home folder. */
  readonly path: string;
  /** What the file beside a sub-agent's lines tells. */
  readonly about: unknown;
}

/** What the tests read of a message; the recordings are trusted, unlike input. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into recorded messages at will
export type Message = any;

interface Expected {
  readonly session_id: string | null;
  readonly final_text: string | { readonly sha256_of_utf8: string } | null;
  readonly tool_calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly parent_tool_use_id: string | null;
    readonly success: boolean | null;
    readonly result_seen_in_stream?: boolean;
  }[];
  readonly subagents?: readonly { readonly lane: string; readonly spawned_by_tool_use_id: string }[];
  readonly tokens_served_total: Readonly<Record<string, number>>;
  readonly tokens_served_by_lane?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly total_cost_usd?: number | null;
  readonly incomplete_calls?: readonly unknown[];
}

export const captures: readonly Capture[] = readdirSync(folder)
  .filter((file) => file.endsWith('.meta.json'))
  .sort()
  .map((file) => {
    const name = file.slice(0, -'.meta.json'.length);
    const bytes = readFileSync(`${folder}${name}.ndjson`);
    const meta = JSON.parse(readFileSync(folder + file, 'utf8'));
    return {
      name,
      bytes,
      messages: messagesIn(bytes),
      expected: meta.expected,
      goldenPath: `${folder}${name}.events.json`,
      transcripts: transcriptsOf(meta.transcripts ?? []),
    };
  });

export function capture(name: string): Capture {
  const found = captures.find((one) => one.name === name);
  if (!found) throw new Error(`no capture is called ${name}`);
  return found;
}

/** A run of which no file was kept has none, however many it wrote. */
function transcriptsOf(list: readonly { file: string; kind: string; original_path: string }[]): readonly Transcript[] {
  return list
    .filter(({ file, kind }) => kind !== 'subagent-meta' && existsSync(folder + file))
    .map(({ file, original_path }) => {
      const aboutFile = folder + file.replace('.transcript.jsonl', '.agent.json');
      return {
        bytes: readFileSync(folder + file),
        path: original_path.replace('~/', ''),
        about: existsSync(aboutFile) ? JSON.parse(readFileSync(aboutFile, 'utf8')) : undefined,
      };
    });
}

function messagesIn(bytes: Uint8Array): Message[] {
  return Buffer.from(bytes)
    .toString()
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

export function decodeAll(
  pieces: readonly Uint8Array[],
  options?: Partial<DecoderOptions>,
  exit?: Exit,
): AgentStreamEvent[] {
  const decoder = createDecoder(options);
  const events = pieces.flatMap((piece) => decoder.feed(piece));
  return [...events, ...decoder.end(exit)];
}

/** Events of messages given as objects, one per line. */
export function decodeMessages(messages: readonly unknown[], exit?: Exit): AgentStreamEvent[] {
  const text = messages.map((message) => (typeof message === 'string' ? message : JSON.stringify(message))).join('\n');
  return decodeAll([Buffer.from(`${text}\n`)], { agent: 'claude' }, exit);
}

export function summarize(events: readonly AgentStreamEvent[], lines = 0): Summary {
  const fold = createSummary();
  for (const event of events) fold.add(event);
  return fold.summary(lines);
}

export function ofType<T extends AgentStreamEvent['type']>(
  events: readonly AgentStreamEvent[],
  type: T,
): Extract<AgentStreamEvent, { type: T }>[] {
  return events.filter((event): event is Extract<AgentStreamEvent, { type: T }> => event.type === type);
}

/** The bytes cut at the positions. */
export function cutAt(bytes: Uint8Array, positions: readonly number[]): Uint8Array[] {
  const places = [...new Set(positions.map((at) => at % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...places, bytes.length].map((end, index) => bytes.slice(places[index - 1] ?? 0, end));
}

/** The prices that the captures imply: what the CLI says a model's tokens cost. */
export const PRICES: PriceTable = {
  'claude-opus-5-5': { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5, cacheWrite1h: 8 },
  'claude-opus-4-8': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, cacheWrite1h: 10 },
  'claude-sonnet-5-5': { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5, cacheWrite1h: 4 },
  'claude-haiku-5-5': { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125, cacheWrite1h: 0.2 },
};

/** A session's streams as the fold takes them, each with its events. */
export interface StreamEvents {
  readonly stream: SessionStream;
  readonly events: readonly AgentStreamEvent[];
}

export function streamsOf({ name, bytes, transcripts }: Capture): readonly StreamEvents[] {
  return [
    { stream: { id: name, source: 'stdout' }, events: decodeAll([bytes], { agent: 'claude' }) },
    ...transcriptStreams(transcripts),
  ];
}

export function transcriptStreams(transcripts: readonly Transcript[]): readonly StreamEvents[] {
  return transcripts.map(({ path, bytes, about }) => ({
    stream: { id: path, source: 'transcript' },
    events: decodeAll([bytes], { agent: 'claude', about }),
  }));
}

/** Adds the streams' events in the order given by stream numbers, and ends. */
export function foldStreams(
  streams: readonly StreamEvents[],
  order: readonly number[],
  prices?: PriceTable,
): { readonly events: readonly AgentStreamEvent[]; readonly summary: Summary } {
  const session = createSession({ prices });
  const fold = createSummary({ ledger: session.ledger });
  const next = streams.map(() => 0);
  const out: AgentStreamEvent[] = [];
  for (const number of order) {
    const { stream, events } = streams[number] as StreamEvents;
    const event = events[next[number] ?? 0];
    next[number] = (next[number] ?? 0) + 1;
    if (event) out.push(...session.add(stream, event));
  }
  out.push(...session.end());
  for (const event of out) fold.add(event);
  return { events: out, summary: fold.summary(0) };
}

/** One stream after the other. */
export function inTurn(streams: readonly StreamEvents[], numbers: readonly number[] = [...streams.keys()]): number[] {
  return numbers.flatMap((number) => Array<number>(streams[number]?.events.length ?? 0).fill(number));
}

/** A random order of the streams' events that keeps each stream's own. */
export function interleaved(streams: readonly StreamEvents[], seed: number): number[] {
  const order = inTurn(streams);
  let state = seed;
  for (let index = order.length - 1; index > 0; index--) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const other = state % (index + 1);
    [order[index], order[other]] = [order[other] ?? 0, order[index] ?? 0];
  }
  return order;
}
