// Runs that were recorded twice: what one printed is the beginning of what another printed, to the byte. Such a copy stays in the
// record and does not count.

import type { Connection } from '../connection.ts';
import { sources } from '../schema.ts';
import type { StreamRow } from '../stream-row.ts';

/** Gives the streams without the copies. Of two that are the same the earlier stays. */
export type DropCopies = (streams: readonly StreamRow[]) => readonly StreamRow[];

interface Line {
  readonly seq: number;
  readonly bytes: Buffer;
}

/** How far two streams are the same, so that what has been compared is not read again as they grow. */
interface Compared {
  left: number;
  right: number;
  isOther: boolean;
}

/** `order`: less than 0 when the left one ended first, more when the right one did, 0 when both did. */
type Comparison = { readonly isOther: true } | { readonly isOther: false; readonly order: number };

export function createRunCopies({ raw }: Connection): DropCopies {
  const next = raw.prepare<[number, number, number], Line>(
    'SELECT seq, bytes FROM lines WHERE stream = ? AND seq > ? AND source = ? ORDER BY seq LIMIT 1',
  );
  const stdout = sources.indexOf('stdout');
  const memory = new Map<string, Compared>();

  function compare(left: number, right: number): Comparison {
    const key = `${left} ${right}`;
    const known = memory.get(key) ?? { left: 0, right: 0, isOther: false };
    memory.set(key, known);
    while (!known.isOther) {
      const [one, other] = [next.get(left, known.left, stdout), next.get(right, known.right, stdout)];
      // One that printed nothing is nobody's copy: it may tell why.
      if (!one && !other) return known.left === 0 ? { isOther: true } : { isOther: false, order: 0 };
      if (!one || !other) {
        const isEmpty = one ? known.right === 0 : known.left === 0;
        return isEmpty ? { isOther: true } : { isOther: false, order: one ? 1 : -1 };
      }
      const length = Math.min(one.bytes.length, other.bytes.length);
      if (one.bytes.compare(other.bytes, 0, length, 0, length) !== 0) known.isOther = true;
      else if (one.bytes.length !== other.bytes.length) {
        // Cut off within a line: only the last one can be.
        const isShorter = one.bytes.length < other.bytes.length;
        if (isShorter ? next.get(left, one.seq, stdout) : next.get(right, other.seq, stdout)) known.isOther = true;
        else return { isOther: false, order: isShorter ? -1 : 1 };
      } else {
        known.left = one.seq;
        known.right = other.seq;
      }
    }
    return { isOther: true };
  }

  return (streams) => {
    const runs = streams.filter(({ kind }) => kind === 'run');
    if (runs.length < 2) return streams;
    const copies = new Set<number>();
    for (const [index, { id }] of runs.entries()) {
      for (const { id: later } of runs.slice(index + 1)) {
        if (copies.has(id)) break;
        if (copies.has(later)) continue;
        const found = compare(id, later);
        if (!found.isOther) copies.add(found.order < 0 ? id : later);
      }
    }
    return copies.size === 0 ? streams : streams.filter(({ id }) => !copies.has(id));
  };
}
