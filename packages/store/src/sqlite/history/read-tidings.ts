// What was told behind a place, in one order over all sessions. Lines stand where they stand in the record, the rest behind them.

import type { Tidings, Told } from '../../contract.ts';
import { readChunk } from '../../project/chunks.ts';
import type { Connection } from '../connection.ts';
import { readEpoch } from '../epoch.ts';
import { unpack } from './pack.ts';

interface ChunkRow {
  readonly session: string;
  readonly last: number;
  readonly packed: number;
  readonly data: Uint8Array;
}

interface TellingRow {
  readonly session: string;
  readonly kind: 'ended' | 'retold' | 'gone';
  readonly told: number;
  readonly moved_to: string | null;
}

/** So many rows of events are read at once, of up to 256 kB each. */
const ROWS = 3;

/** All of one state of the file, whoever writes meanwhile. */
export function readTidings(connection: Connection, after: number, sessions?: readonly string[]): Tidings {
  return connection.raw.transaction(() => read(connection, after, sessions)).deferred();
}

function read(connection: Connection, after: number, sessions: readonly string[] | undefined): Tidings {
  const { raw } = connection;
  const epoch = readEpoch(connection);
  const end = raw.prepare<[], number>('SELECT told FROM projection').pluck().get() ?? 0;
  if (after >= end) return { epoch, told: [], until: end, end };
  const until = sessions ? borderOf(raw, after, end, sessions) : border(raw, after, end);
  const lineAt = raw.prepare<[number], Uint8Array>('SELECT bytes FROM lines WHERE position = ?').pluck();
  const told: Told[] = [];
  for (const { session, packed, data } of chunksIn(raw, after, until, sessions)) {
    for (const { position, events } of readChunk(unpack(packed === 1, data), after, (at) => lineAt.get(at))) {
      // What no line told has a place of its own.
      if (position <= until && Number.isInteger(position))
        told.push({ kind: 'line', place: position, sessionId: session, events });
    }
  }
  for (const row of tellingsIn(raw, after, until, sessions)) told.push(tellingOf(raw, row));
  // Of one session each place is told once, and retelling comes before an end at the same place.
  told.sort((a, b) => a.place - b.place || ORDER[a.kind] - ORDER[b.kind]);
  return { epoch, told, until, end };
}

const ORDER = { line: 0, retold: 1, ended: 2, gone: 3 } as const;

type Raw = Connection['raw'];

/** A place before which there is not too much at once. */
function border(raw: Raw, after: number, end: number): number {
  const last = raw
    .prepare<[number], number>(
      `SELECT e.last FROM events e JOIN sessions s ON s.build = e.build WHERE e.last > ? ORDER BY e.last LIMIT 1 OFFSET ${ROWS - 1}`,
    )
    .pluck()
    .get(after);
  return Math.min(end, last === undefined ? end : Math.ceil(last));
}

function borderOf(raw: Raw, after: number, end: number, sessions: readonly string[]): number {
  const each = Math.max(1, Math.floor(ROWS / sessions.length));
  const nth = raw
    .prepare<[string, number, number], number>(
      `SELECT e.last FROM sessions s JOIN events e ON e.build = s.build WHERE s.id = ? AND e.last > ? ORDER BY e.last LIMIT 1 OFFSET ?`,
    )
    .pluck();
  let until = end;
  for (const session of sessions) {
    const last = nth.get(session, after, each - 1);
    if (last !== undefined) until = Math.min(until, Math.ceil(last));
  }
  return until;
}

function chunksIn(
  raw: Raw,
  after: number,
  until: number,
  sessions: readonly string[] | undefined,
): readonly ChunkRow[] {
  if (!sessions) {
    return raw
      .prepare<[number, number], ChunkRow>(
        `SELECT s.id AS session, e.last, e.packed, e.data FROM events e JOIN sessions s ON s.build = e.build
         WHERE e.last > ? AND e.first <= ?`,
      )
      .all(after, until);
  }
  const ofSession = raw.prepare<[string, number, number], ChunkRow>(
    `SELECT s.id AS session, e.last, e.packed, e.data FROM sessions s JOIN events e ON e.build = s.build
     WHERE s.id = ? AND e.last > ? AND e.first <= ?`,
  );
  return sessions.flatMap((session) => ofSession.all(session, after, until));
}

function tellingsIn(
  raw: Raw,
  after: number,
  until: number,
  sessions: readonly string[] | undefined,
): readonly TellingRow[] {
  const columns = 'SELECT session, kind, told, moved_to FROM tellings WHERE';
  if (!sessions)
    return raw.prepare<[number, number], TellingRow>(`${columns} told > ? AND told <= ?`).all(after, until);
  const ofSession = raw.prepare<[string, number, number], TellingRow>(
    `${columns} session = ? AND told > ? AND told <= ?`,
  );
  return sessions.flatMap((session) => ofSession.all(session, after, until));
}

function tellingOf(raw: Raw, { session, kind, told: place, moved_to: movedTo }: TellingRow): Told {
  if (kind === 'retold') return { kind, place, sessionId: session };
  if (kind === 'gone') return { kind, place, sessionId: session, movedTo };
  return { kind, place, sessionId: session, events: closingOf(raw, session) };
}

/** What closes a session: it stands behind its last line. */
function closingOf(raw: Raw, session: string): Extract<Told, { kind: 'ended' }>['events'] {
  const row = raw
    .prepare<[string], ChunkRow>(
      `SELECT s.id AS session, e.last, e.packed, e.data FROM sessions s JOIN events e ON e.build = s.build
       WHERE s.id = ? ORDER BY e.last DESC LIMIT 1`,
    )
    .get(session);
  if (!row || Number.isInteger(row.last)) return [];
  const lines = readChunk(unpack(row.packed === 1, row.data), Math.floor(row.last), () => undefined);
  return lines.flatMap(({ events }) => events);
}
