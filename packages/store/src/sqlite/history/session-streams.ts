// The streams that a session is made of.

import { basename } from 'node:path';
import { agents, type EventOf, type Json } from '@tailrace/core';
import type { StreamKind } from '../../contract.ts';
import { decoderOf, type FoldedStream } from '../../project/fold-session.ts';
import type { Connection } from '../connection.ts';
import { type Holder, isLiving, type Processes } from '../holder.ts';
import { holderOf, type StreamRow } from '../stream-row.ts';
import { createRunCopies } from './run-copies.ts';
import type { SessionLines } from './session-lines.ts';

export interface SessionStreams {
  /**
   * All streams of a session, and those that count: what hooks tell counts only where nobody else tells anything, and a run that
   * was recorded twice counts once.
   */
  of(session: string): { readonly all: readonly StreamRow[]; readonly counted: readonly StreamRow[] };
  /** As they are decoded, and whether something had to be looked up in the others. */
  describe(
    streams: readonly StreamRow[],
    target: number,
  ): { readonly streams: readonly FoldedStream[]; readonly isLookedUp: boolean };
  /** Whether a process may still write to one of them. */
  isWritten(streams: readonly StreamRow[]): Promise<boolean>;
  /** The sessions that somebody writes to. */
  written(): Promise<readonly string[]>;
}

export function createSessionStreams(
  connection: Connection,
  lines: SessionLines,
  processes: Processes,
  now: () => number,
): SessionStreams {
  const { raw } = connection;
  const withoutCopies = createRunCopies(connection);
  const ofSession = raw.prepare<[string], StreamRow>(
    'SELECT * FROM streams WHERE session = ? AND next_seq > 1 ORDER BY id',
  );
  const leased = raw.prepare<[], StreamRow>(
    'SELECT * FROM streams WHERE lease_token IS NOT NULL AND session IS NOT NULL',
  );

  async function isHeld(row: StreamRow, seen: Map<string, Promise<boolean>>): Promise<boolean> {
    const holder: Holder | undefined = holderOf(row);
    if (!holder) return false;
    const key = `${holder.pid} ${holder.start} ${holder.place} ${holder.at}`;
    const known = seen.get(key) ?? isLiving(holder, processes, now());
    seen.set(key, known);
    return known;
  }

  /** Where nothing lies beside a sub-agent's lines, another stream of the session may name the call that started it. */
  function lookUp(row: StreamRow, others: readonly StreamRow[], target: number): Json {
    const layout = agents.find(({ name }) => name === row.agent)?.transcripts;
    const task = row.path === null ? undefined : layout?.taskOf(basename(row.path));
    if (!layout || task === undefined) return undefined;
    for (const other of others) {
      if (other.id === row.id) continue;
      const start = findTask(other, task, target);
      if (start) return layout.describe(start);
    }
    return undefined;
  }

  function findTask(row: StreamRow, task: string, target: number): EventOf<'task-start'> | undefined {
    const decoder = decoderOf(factsOf(row));
    for (const { bytes, at, source } of lines.read([{ id: row.id, name: row.name, fromSeq: 1 }], target)) {
      for (const event of decoder.feed(bytes, { at, source }))
        if (event.type === 'task-start' && event.taskId === task) return event;
    }
    return undefined;
  }

  function needsLookUp(row: StreamRow): boolean {
    if (row.kind !== 'transcript' || row.about !== null || row.path === null) return false;
    const layout = agents.find(({ name }) => name === row.agent)?.transcripts;
    return layout?.taskOf(basename(row.path)) !== undefined;
  }

  return {
    of(session) {
      const all = ofSession.all(session);
      const others = all.filter(({ kind }) => kind !== 'hook');
      return { all, counted: others.length > 0 ? withoutCopies(others) : all };
    },
    describe(streams, target) {
      let isLookedUp = false;
      const described = streams.map((row) => {
        if (!needsLookUp(row)) return factsOf(row);
        isLookedUp = true;
        return { ...factsOf(row), about: lookUp(row, streams, target) };
      });
      return { streams: described, isLookedUp };
    },
    async isWritten(streams) {
      const seen = new Map<string, Promise<boolean>>();
      for (const row of streams) if (await isHeld(row, seen)) return true;
      return false;
    },
    async written() {
      const seen = new Map<string, Promise<boolean>>();
      const sessions = new Set<string>();
      for (const row of leased.all()) {
        if (row.session === null || sessions.has(row.session)) continue;
        if (await isHeld(row, seen)) sessions.add(row.session);
      }
      return [...sessions];
    },
  };
}

function factsOf(row: StreamRow): FoldedStream {
  return {
    name: row.name,
    // The column is only written from the contract's own type.
    kind: row.kind as StreamKind,
    agent: row.agent ?? undefined,
    about: row.about === null ? undefined : (JSON.parse(row.about) as Json),
  };
}
