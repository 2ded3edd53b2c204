// The processes as Linux tells them: files below /proc, see proc(5).

import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessEntry, ProcessTable } from './entry.ts';
import { isMarked } from './marker.ts';

/** Reads a line of /proc/<pid>/stat. The name in it is the program's own choice: it may hold spaces, brackets and line ends. */
export function parseStat(text: string): Omit<ProcessEntry, 'hasMarker'> | undefined {
  const nameEnd = text.lastIndexOf(')');
  const pid = Number.parseInt(text, 10);
  // The first of these is field 3 of the manual.
  const fields = text.slice(nameEnd + 2).split(' ');
  const [state, parent, group] = fields;
  const startTime = fields[19];
  if (nameEnd < 0 || !Number.isSafeInteger(pid) || startTime === undefined) return undefined;
  const isZombie = state === 'Z' || state === 'X' || state === 'x';
  return { pid, parent: Number(parent), group: Number(group), startTime, isZombie };
}

/** The processes of a Linux machine. */
export const procTable: ProcessTable = {
  list: () => namesIn('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readEntry(name) ?? []) : [])),
  startTimeOf(pid) {
    const entry = readEntry(String(pid));
    return entry === undefined || entry.isZombie ? undefined : entry.startTime;
  },
  // Each thread has its own children.
  childrenOf: (pid) =>
    namesIn(`/proc/${pid}/task`).flatMap((thread) =>
      readOrNothing(`/proc/${pid}/task/${thread}/children`)
        .split(' ')
        .flatMap((child) => (child === '' ? [] : Number(child))),
    ),
};

function readEntry(pid: string): ProcessEntry | undefined {
  const stat = parseStat(readOrNothing(`/proc/${pid}/stat`));
  return stat && { ...stat, hasMarker: (runId) => isMarked(readOrNothing(`/proc/${pid}/environ`), runId) };
}

/** A process may end while it is looked at, and those of other people do not show everything. */
function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
