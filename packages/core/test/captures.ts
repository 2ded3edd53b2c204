// The recorded runs, and the ways to decode them that the tests share.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type AgentStreamEvent,
  createDecoder,
  createSummary,
  type DecoderOptions,
  type Exit,
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
  readonly subagents?: readonly { readonly spawned_by_tool_use_id: string }[];
  readonly tokens_served_total: Readonly<Record<string, number>>;
}

export const captures: readonly Capture[] = readdirSync(folder)
  .filter((file) => file.endsWith('.meta.json'))
  .sort()
  .map((file) => {
    const name = file.slice(0, -'.meta.json'.length);
    const bytes = readFileSync(`${folder}${name}.ndjson`);
    return {
      name,
      bytes,
      messages: messagesIn(bytes),
      expected: JSON.parse(readFileSync(folder + file, 'utf8')).expected,
      goldenPath: `${folder}${name}.events.json`,
    };
  });

export function capture(name: string): Capture {
  const found = captures.find((one) => one.name === name);
  if (!found) throw new Error(`no capture is called ${name}`);
  return found;
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
