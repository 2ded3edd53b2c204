// What was told behind a place, in one order over all sessions. Lines stand where they stand in the record, the rest behind them.

import type { Tidings, Told } from '../../contract.ts';
import { CHUNK_BYTES, parseChunk, wholeOf } from '../../project/chunks.ts';
import type { Connection } from '../connection.ts';
import { readEpoch } from '../epoch.ts';
import { unpack } from './pack.ts';

interface ChunkRow {
  readonly session: string;
  readonly last: number;
  readonly packed: number;
  readonly data: Uint8Array;
}

interface SizeRow {
  readonly last: number;
  readonly packed: number;
  readonly bytes: number;
}

interface TellingRow {
  readonly session: string;
  readonly kind: 'ended' | 'retold' | 'gone';
  readonly told: number;
  readonly moved_to: string | null;
}

/** A part ends with the line, or the row, with which it has so many bytes. */
const PART_BYTES = 3 * CHUNK_BYTES;
/** So much longer a row is than its packed bytes, about. */
const PACKED_SHARE = 6;

/** All of one state of the file, whoever writes meanwhile. */
export function readTidings(connection: Connection, after: number, sessions?: readonly string[]): Tidings {
  return connection.raw.transaction(() => read(connection, after, sessions)).deferred();
}

function read(connection: Connection, after: number, sessions: readonly string[] | undefined): Tidings {
  const { raw } = connection;
  const epoch = readEpoch(connection);
  const end = raw.prepare<[], number>('SELECT told FROM projection').pluck().get() ?? 0;
  if (after >= end) return { epoch, told: [], until: end, end };
  const border = sessions ? borderOf(raw, after, end, sessions) : borderOfAll(raw, after, end);
  const { lines, until } = linesIn(raw, after, border, sessions);
  const told: Told[] = [...lines];
  for (const row of tellingsIn(raw, after, until, sessions)) told.push(tellingOf(raw, row));
  // Of one session each place is told once, and retelling comes before an end at the same place.
  told.sort((a, b) => a.place - b.place || ORDER[a.kind] - ORDER[b.kind]);
  return { epoch, told, until, end };
}

/** What lines told up to a place, or up to the one with which it is enough: rows do not tell how long the texts are that they leave out. */
function linesIn(
  raw: Raw,
  after: number,
  border: number,
  sessions: readonly string[] | undefined,
): { readonly lines: readonly Told[]; readonly until: number } {
  const lineAt = raw.prepare<[number], Uint8Array>('SELECT bytes FROM lines WHERE position = ?').pluck();
  const kept = chunksIn(raw, after, border, sessions).flatMap(({ session, packed, data }) =>
    parseChunk(unpack(packed === 1, data), { after, until: border })
      // What no line told has a place of its own.
      .filter(({ position }) => Number.isInteger(position))
      .map((line) => ({ session, line })),
  );
  kept.sort((a, b) => a.line.position - b.line.position);
  const lines: Told[] = [];
  let [bytes, last] = [0, after];
  for (const { session, line } of kept) {
    if (bytes >= PART_BYTES && line.position > last) return { lines, until: last };
    last = line.position;
    const { position, events } = wholeOf(line, (at) => {
      const long = lineAt.get(at);
      bytes += long?.length ?? 0;
      return long;
    });
    lines.push({ kind: 'line', place: position, sessionId: session, events });
  }
  return { lines, until: border };
}

const ORDER = { line: 0, retold: 1, ended: 2, gone: 3 } as const;

type Raw = Connection['raw'];

/** A place before which there is not too much at once. */
function borderOfAll(raw: Raw, after: number, end: number): number {
  const rows = raw.prepare<[number], SizeRow>(
    `SELECT e.last, e.packed, length(e.data) AS bytes FROM events e JOIN sessions s ON s.build = e.build
     WHERE e.last > ? ORDER BY e.last`,
  );
  return Math.min(end, lastOfPart(rows.iterate(after), PART_BYTES));
}

function borderOf(raw: Raw, after: number, end: number, sessions: readonly string[]): number {
  const rows = raw.prepare<[string, number], SizeRow>(
    `SELECT e.last, e.packed, length(e.data) AS bytes FROM sessions s JOIN events e ON e.build = s.build
     WHERE s.id = ? AND e.last > ? ORDER BY e.last`,
  );
  const each = PART_BYTES / sessions.length;
  return Math.min(end, ...sessions.map((session) => lastOfPart(rows.iterate(session, after), each)));
}

/** Where the row ends with which there is enough. */
function lastOfPart(rows: Iterable<SizeRow>, enough: number): number {
  let length = 0;
  for (const { last, packed, bytes } of rows) {
    length += packed === 1 ? bytes * PACKED_SHARE : bytes;
    if (length >= enough) return Math.ceil(last);
  }
  return Number.POSITIVE_INFINITY;
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
  const lines = parseChunk(unpack(row.packed === 1, row.data), { after: Math.floor(row.last) });
  return lines.flatMap(({ events }) => events);
}
