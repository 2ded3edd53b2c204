// A line of the spool, as `tailrace hook` writes it: `{"at":TIME,"payload":JSON}`, or what came instead of a payload.

import { type Agent, agents as allAgents, type Json } from '@tailrace/core';

/** What a line of the spool is to the record. */
export interface SpoolLine {
  /** When the hook was called; absent where the line does not tell. */
  readonly at?: number | undefined;
  /** Whose session the payload is about; absent for what is no payload of a known agent's. */
  readonly agent?: string | undefined;
  readonly sessionId?: string | undefined;
  /** The payload as it came, with a line feed; or the whole line where there is none. */
  readonly bytes: Uint8Array;
}

const BEGINNING = /^\{"at":(\d{1,15}),"payload":/;
const LONGEST_BEGINNING = 40;
const ANY_TIME = /^\{"at":(\d{1,15}),/;
const LONGEST_ID = 200;

/** Reads one line with its line feed. Whatever it is, nothing of it is lost. */
export function readSpoolLine(line: Uint8Array, agents: readonly Agent[] = allAgents): SpoolLine {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  const start = bytes.toString('latin1', 0, LONGEST_BEGINNING);
  const [beginning, at] = BEGINNING.exec(start) ?? [];
  const end = bytes.length - 2;
  // `}` and the line feed close what the beginning opened.
  if (beginning === undefined || bytes[end] !== 0x7d) return { at: timeIn(start), bytes };
  const payload = bytes.subarray(beginning.length, end);
  const owner = ownerOf(payload, agents);
  return owner ? { at: Number(at), ...owner, bytes: Buffer.concat([payload, LINE_FEED]) } : { at: Number(at), bytes };
}

const LINE_FEED = Buffer.from('\n');

function timeIn(start: string): number | undefined {
  const [, at] = ANY_TIME.exec(start) ?? [];
  return at === undefined ? undefined : Number(at);
}

function ownerOf(payload: Buffer, agents: readonly Agent[]): { agent: string; sessionId: string } | undefined {
  let value: Json;
  try {
    value = JSON.parse(payload.toString('utf8'));
  } catch {
    return undefined;
  }
  for (const { name, hooks, transcripts } of agents) {
    const sessionId = hooks?.sessionOf(value);
    if (sessionId === undefined || sessionId.length > LONGEST_ID) continue;
    if (transcripts?.isSessionId(sessionId) ?? true) return { agent: name, sessionId };
  }
  return undefined;
}
