// A recorded run as the suite needs it: its lines, its messages, and the ways to decode it.

import type { Agent, Exit } from '../agents/agent.ts';
import { createAgentDecoder } from '../decoder.ts';
import type { AgentStreamEvent } from '../event/event.ts';
import type { Json } from '../event/json.ts';

/** One recorded run of the agent. */
export interface AgentFixture {
  readonly name: string;
  /** What the agent printed. */
  readonly bytes: Uint8Array;
  /** How its process ended, where that was recorded. */
  readonly exit?: Exit | undefined;
  /** Native types in it that the agent's translator is not meant to know. */
  readonly unknown?: readonly string[] | undefined;
}

export interface PreparedFixture extends AgentFixture {
  readonly lines: readonly FixtureLine[];
  /** The lines that hold a message. */
  readonly messages: readonly FixtureMessage[];
}

interface FixtureLine {
  /** With its line feed, if it has one. */
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
}

interface FixtureMessage {
  /** Where its line is among the lines. */
  readonly index: number;
  readonly text: string;
  readonly value: Json;
}

export function prepare(fixture: AgentFixture): PreparedFixture {
  const { bytes } = fixture;
  const lines: FixtureLine[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start) + 1;
    lines.push({ bytes: bytes.subarray(start, end || bytes.length), isWhole: end > 0 });
    start = end || bytes.length;
  }
  const messages = lines.flatMap((line, index): FixtureMessage[] => {
    const text = new TextDecoder().decode(line.bytes).trim();
    const value = parse(text);
    return value === undefined ? [] : [{ index, text, value }];
  });
  return { ...fixture, lines, messages };
}

/** The events of a stream, given in pieces. */
export function decodePieces(agent: Agent, pieces: readonly Uint8Array[], exit?: Exit): AgentStreamEvent[] {
  const decoder = createAgentDecoder({ agent, agents: [agent] });
  const events = pieces.flatMap((piece) => decoder.feed(piece));
  return [...events, ...decoder.end(exit)];
}

/** The bytes of a fixture with some lines in the place of others; a line that is not named stays as it is. */
export function withLines(fixture: PreparedFixture, changed: ReadonlyMap<number, string>): Uint8Array[] {
  const encoder = new TextEncoder();
  return fixture.lines.map(({ bytes, isWhole }, index) => {
    const text = changed.get(index);
    return text === undefined ? bytes : encoder.encode(isWhole ? `${text}\n` : text);
  });
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
