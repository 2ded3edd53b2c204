// A conversation as the rows of a list: the parts of the main thread in order, and below whatever started a sub-agent the parts of
// its thread, where that is open. A session may have a hundred thousand parts and change with every frame, so what did not change
// is taken from the last time.

import type { Conversation, Part, Task } from '@tailrace/core';
import { compareParts, createThreads, type Threads } from './threads.ts';

export interface PartEntry {
  readonly kind: 'part';
  readonly key: string;
  readonly part: Part;
  readonly depth: number;
}

/** Opens and folds the thread of a sub-agent. */
export interface ThreadEntry {
  readonly kind: 'thread';
  readonly key: string;
  readonly threadId: string;
  /** Absent where no part tells of it. */
  readonly task?: Task;
  readonly depth: number;
  readonly partCount: number;
  readonly isOpen: boolean;
}

export type Row = PartEntry | ThreadEntry;

/** What the reader has opened or folded; the others are open while they go on. */
export type ThreadFolds = ReadonlyMap<string, boolean>;

export interface Rows {
  readonly rows: readonly Row[];
  /** Another number when rows before the old end have other keys than before. */
  readonly keysVersion: number;
}

/** Makes rows of a conversation, and quickly those of the one after it. */
export function createRows(): (conversation: Conversation, folds: ThreadFolds) => Rows {
  const readThreads = createThreads();
  let last: Rows = { rows: [], keysVersion: 0 };
  let lastParts: readonly Part[] = [];
  let lastList: Conversation['parts'] | undefined;
  let lastFolds: ThreadFolds | undefined;
  /** Where the rows of each part of the main thread begin. */
  const starts: number[] = [];
  /** Below which part of the main thread a thread is shown. */
  let places = new Map<string, number>();
  let hadRootless = false;

  function sameUntil(threads: Threads, folds: ThreadFolds): number {
    if (folds !== lastFolds || hadRootless || threads.rootless.length > 0) return 0;
    let same = 0;
    const length = Math.min(lastParts.length, threads.main.length);
    while (same < length && lastParts[same] === threads.main[same]) same++;
    // What a thread shows is shown below the part that started it; where that is not known, anything may be new.
    for (const id of threads.changed) same = Math.min(same, places.get(id) ?? 0);
    return same;
  }

  return (conversation, folds) => {
    if (conversation.parts === lastList && folds === lastFolds) return last;
    lastList = conversation.parts;
    const threads = readThreads(conversation);
    const from = sameUntil(threads, folds);
    if (from > 0 && from === threads.main.length && from === lastParts.length) return last;
    const kept = from === 0 ? 0 : (starts[from] ?? last.rows.length);
    const rows = last.rows.slice(0, kept);
    if (from < starts.length) starts.length = from;
    if (from === 0) places = new Map();
    else for (const [id, place] of places) if (place >= from) places.delete(id);
    const rootless = [...threads.rootless];
    for (let index = from; index < threads.main.length; index++) {
      const part = threads.main[index];
      if (!part) continue;
      while (rootless[0] && compareParts(rootless[0].parts[0], part) < 0)
        addThread(rootless.shift()?.id ?? '', index, 0);
      starts[index] = rows.length;
      addPart(part, index, 0);
    }
    for (const { id } of rootless) addThread(id, threads.main.length, 0);
    lastParts = threads.main;
    lastFolds = folds;
    hadRootless = threads.rootless.length > 0;
    last = { rows, keysVersion: last.keysVersion + (haveSameKeys(last.rows, rows, kept) ? 0 : 1) };
    return last;

    function addPart(part: Part, index: number, depth: number): void {
      rows.push({ kind: 'part', key: part.id, part, depth });
      const task = taskOf(part);
      if (task) addThread(task.taskId, index, depth, task);
    }

    function addThread(threadId: string, index: number, depth: number, task?: Task): void {
      const parts = threads.byId.get(threadId);
      // Two parts may tell of one task, and tasks may name each other in a circle: a thread is shown once.
      if (places.has(threadId) || !parts || parts.length === 0) return;
      places.set(threadId, index);
      const isOpen = folds.get(threadId) ?? task?.status === 'running';
      rows.push({
        kind: 'thread',
        key: `thread:${threadId}`,
        threadId,
        depth,
        partCount: parts.length,
        isOpen,
        ...(task && { task }),
      });
      // What is folded has its place too, so that nobody shows it elsewhere.
      for (const part of parts) {
        const inner = taskOf(part);
        if (isOpen) addPart(part, index, depth + 1);
        else if (inner) placeFolded(inner.taskId, index);
      }
    }

    function placeFolded(threadId: string, index: number): void {
      const parts = threads.byId.get(threadId);
      if (places.has(threadId) || !parts) return;
      places.set(threadId, index);
      for (const part of parts) {
        const inner = taskOf(part);
        if (inner) placeFolded(inner.taskId, index);
      }
    }
  };
}

/** The task that a part tells of. */
export function taskOf(part: Part): Task | undefined {
  return 'task' in part ? part.task : undefined;
}

function haveSameKeys(before: readonly Row[], after: readonly Row[], from: number): boolean {
  if (after.length < before.length) return false;
  for (let at = from; at < before.length; at++) if (before[at]?.key !== after[at]?.key) return false;
  return true;
}
