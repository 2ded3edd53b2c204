// The sessions in memory: those that go on, as far as there is room. One that is not here is made anew from its lines.

import type { Told } from '../../project/chunks.ts';
import { type FoldOptions, foldSession, type SessionFolding } from '../../project/fold-session.ts';
import type { StreamRow } from '../stream-row.ts';
import type { SessionLines } from './session-lines.ts';
import type { SessionStreams } from './session-streams.ts';
import type { WrittenHead } from './write-rows.ts';

/** A session that is being made. */
export interface Known {
  readonly folding: SessionFolding;
  /** The rows that it has written; none yet when it is made anew. */
  build: number | undefined;
  /** Its rows are not shown yet. */
  isHidden: boolean;
  written: WrittenHead | undefined;
  /** All lines of its streams up to here are folded. */
  target: number;
  /** The last line of each stream that is folded. */
  readonly seqs: Map<number, number>;
  readonly facts: Map<number, string>;
  /** What one stream tells was needed to read another: it is not gone on with, but made anew. */
  readonly isFixed: boolean;
  /** What was told of it so far, as a digest; nothing when nobody can know of it. */
  before: string | undefined;
}

export interface KnownSessions {
  /** Takes the session out, to go on with it or to begin it anew. Until it is put back, memory and rows are not of one mind. */
  take(session: string, counted: readonly StreamRow[], target: number): Known;
  put(session: string, known: Known): void;
  drop(session: string): void;
  clear(): void;
}

export interface KnownOptions extends FoldOptions {
  /** What was told of a session, and how far everything is told; nothing where that does not count any more. */
  toldOf(session: string): { readonly told: Told | undefined; readonly end: number } | undefined;
  /** How much is kept, roughly in bytes. The newest session is kept in any case. */
  readonly memoryBytes: number;
}

export function createKnownSessions(
  lines: SessionLines,
  streams: SessionStreams,
  { memoryBytes, toldOf, ...options }: KnownOptions,
): KnownSessions {
  const memory = new Map<string, Known>();

  function begin(counted: readonly StreamRow[], target: number): Known {
    const folding = foldSession(options);
    const described = streams.describe(counted, target);
    for (const stream of described.streams) folding.attach(stream);
    return {
      folding,
      build: undefined,
      isHidden: true,
      written: undefined,
      target: 0,
      seqs: new Map(),
      facts: new Map(counted.map((row) => [row.id, factsOf(row)])),
      isFixed: described.isLookedUp,
      before: undefined,
    };
  }

  /** The session in memory, if nothing has come that should have been folded before what is folded already. */
  function goOn(known: Known | undefined, counted: readonly StreamRow[], target: number): Known | undefined {
    if (!known) return undefined;
    const ids = new Set(counted.map(({ id }) => id));
    for (const id of known.facts.keys()) if (!ids.has(id)) return undefined;
    const fresh: StreamRow[] = [];
    for (const row of counted) {
      const facts = known.facts.get(row.id);
      if (facts === undefined) fresh.push(row);
      else if (facts !== factsOf(row)) return undefined;
    }
    if (fresh.some(({ id }) => (lines.firstPosition(id, 1) ?? Number.POSITIVE_INFINITY) <= known.target))
      return undefined;
    const described = streams.describe(fresh, target);
    if (described.isLookedUp) return undefined;
    for (const stream of described.streams) known.folding.attach(stream);
    for (const row of fresh) known.facts.set(row.id, factsOf(row));
    return known;
  }

  return {
    take(session, counted, target) {
      const known = goOn(memory.get(session), counted, target);
      memory.delete(session);
      const taken = known ?? begin(counted, target);
      const before = toldOf(session);
      const { last, digest } = (known ? undefined : before?.told) ?? taken.folding.told();
      taken.before = before && digest;
      taken.folding.mark(Math.max(last, before?.end ?? 0));
      return taken;
    },
    put(session, known) {
      memory.set(session, known);
      let size = 0;
      for (const { folding } of memory.values()) size += folding.size;
      for (const [oldest, { folding }] of memory) {
        if (size <= memoryBytes || memory.size === 1) break;
        memory.delete(oldest);
        size -= folding.size;
      }
    },
    drop: (session) => void memory.delete(session),
    clear: () => memory.clear(),
  };
}

/** What a stream is decoded by. */
function factsOf({ kind, agent, about }: StreamRow): string {
  return JSON.stringify([kind, agent, about]);
}
