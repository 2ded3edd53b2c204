// One line → one message, for whoever splits lines elsewhere; and how long each call took.

import { asNumber, asObject, asText, type Json } from '../../event/json.ts';
import { decodeLine, parseLine } from '../../lines/parse.ts';
import { modernize } from '../dialects/claude/legacy.ts';
import { lineHandlers } from '../dialects/claude/translate.ts';
import type { WireLine } from '../dialects/claude/wire.ts';
import { type ClaudeMessage, contentBlocks, isMessage, isToolResultBlock, isToolUseBlock } from './message.ts';

/** How much of a line a warning shows. */
const SHOWN_CHARACTERS = 100;
const encoder = new TextEncoder();

/**
 * The message on one line, in today's shape: a block that stands alone is put into a list, and old type names are made new.
 * A line that is no message, or one of a type that nobody knows, gives null and one call of `warn`; a blank one only null.
 *
 * @example
 * const message = parseMessageLine(line, report);
 */
export function parseMessageLine(
  text: string,
  warn?: (sentence: string, firstCharacters: string) => void,
): ClaudeMessage | null {
  const line = asText(text)?.trim() ?? '';
  const parsed = parseLine(encoder.encode(line), line, () => false);
  const found = parsed.kind === 'value' ? parsed.value : undefined;
  // Modernizing keeps a message a message: it only puts other types and lists in.
  const message = isMessage(found) ? (modernize(found) as ClaudeMessage) : undefined;
  if (message && lineHandlers.has(message.type)) return message;
  if (parsed.kind !== 'blank') warn?.(complaint(parsed.kind, message), firstCharacters(line, SHOWN_CHARACTERS));
  return null;
}

function complaint(kind: string, message: ClaudeMessage | undefined): string {
  if (message) return `no message of Claude's has the type "${firstCharacters(message.type, SHOWN_CHARACTERS)}"`;
  if (kind === 'value') return 'the line is JSON, but no message: that is an object with a type';
  return kind === 'too_deep' ? 'the line nests too deep to be read' : 'the line is not JSON';
}

/** The beginning of a text; a character that takes two units is not cut in two. */
export function firstCharacters(text: string, most: number): string {
  const last = text.charCodeAt(most - 1);
  const isCut = text.length > most && last >= 0xd800 && last < 0xdc00;
  // Written anew: a slice would keep the whole line in memory for as long as somebody keeps the beginning.
  return decodeLine(encoder.encode(text.slice(0, isCut ? most - 1 : most)));
}

// ── How long calls take ───────────────────────────────────────────────────────────────────────────

export interface CallTimer {
  /** Hears of the next message and when it came, in milliseconds; tells how long each call took whose result is in it. */
  add(message: Json, at?: number): readonly CallDuration[];
  /** How many calls wait for their results. */
  readonly open: number;
}

export interface CallDuration {
  readonly toolUseId: string;
  /** From call to result. Absent when the call was not heard of, or when nobody said when. */
  readonly durationMs?: number;
}

/** A call that is this many calls old gets no result any more: killed runs leave some open, and memory is bounded. */
const MOST_OPEN_CALLS = 10_000;

interface Moment {
  /** As the message says. */
  readonly told: number | undefined;
  /** As whoever read it says. */
  readonly arrived: number | undefined;
}

/**
 * Measures calls from the times that messages carry, where the call and its result both have one; else from when they came.
 * It has no clock of its own.
 */
export function createCallTimer(): CallTimer {
  const calls = new Map<string, Moment>();

  function start(id: string, moment: Moment): void {
    // A call that is printed twice began the first time.
    if (calls.has(id)) return;
    calls.set(id, moment);
    const [oldest] = calls.keys();
    if (calls.size > MOST_OPEN_CALLS && oldest !== undefined) calls.delete(oldest);
  }

  function end(toolUseId: string, now: Moment): CallDuration {
    const call = calls.get(toolUseId);
    calls.delete(toolUseId);
    const durationMs = between(call?.told, now.told) ?? between(call?.arrived, now.arrived);
    return { toolUseId, ...(durationMs !== undefined && { durationMs }) };
  }

  return {
    add(message, at) {
      const moment = { told: timeOf(message), arrived: asNumber(at) };
      const ended: CallDuration[] = [];
      for (const block of contentBlocks(message)) {
        if (isToolUseBlock(block) && block.id !== undefined) start(block.id, moment);
        if (isToolResultBlock(block) && block.tool_use_id !== undefined) ended.push(end(block.tool_use_id, moment));
      }
      return ended;
    },
    get open() {
      return calls.size;
    },
  };
}

function timeOf(message: Json): number | undefined {
  return asNumber(Date.parse(asText(asObject<WireLine>(message)?.timestamp) ?? ''));
}

/** A clock that was set back between the two has measured nothing. */
function between(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined || to < from ? undefined : to - from;
}
