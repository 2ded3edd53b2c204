// The parts of a conversation by thread. Asked again after a change, only the threads that are in changed chunks are read anew.

import { type Conversation, type List, type Part, partsOf } from '@tailrace/core';

export interface Threads {
  readonly main: readonly Part[];
  /** Of the sub-agents, by the id of their task. */
  readonly byId: ReadonlyMap<string, readonly Part[]>;
  /** Which of these are not as they were. */
  readonly changed: ReadonlySet<string>;
  /** Those that hang on nothing that is shown, the first first: nothing of them may be lost. */
  readonly rootless: readonly { readonly id: string; readonly parts: readonly Part[] }[];
}

export function createThreads(): (conversation: Conversation) => Threads {
  let chunks: ReadonlySet<readonly Part[]> = new Set();
  let list: List<Part> = [];
  const byId = new Map<string, readonly Part[]>();
  let last: Threads = { main: [], byId, changed: new Set(), rootless: [] };

  return (conversation) => {
    if (conversation.parts === list) return { ...last, changed: new Set() };
    const now = new Set(conversation.parts);
    const changed = new Set<string>();
    for (const chunk of list) if (!now.has(chunk)) for (const id of contentsOf(chunk).threads) changed.add(id);
    for (const chunk of now) if (!chunks.has(chunk)) for (const id of contentsOf(chunk).threads) changed.add(id);
    for (const id of changed) {
      const parts = shownOf(conversation, id);
      if (parts.length > 0) byId.set(id, parts);
      else byId.delete(id);
    }
    list = conversation.parts;
    chunks = now;
    last = { main: shownOf(conversation), byId, changed, rootless: byId.size > 0 ? rootlessOf(list, byId) : [] };
    return last;
  };
}

const shownParts = new WeakMap<readonly Part[], readonly Part[]>();

/** The same list for as long as the thread is. */
function shownOf(conversation: Conversation, thread?: string): readonly Part[] {
  const parts = partsOf(conversation, thread, { all: true });
  let shown = shownParts.get(parts);
  if (!shown) {
    shown = parts.every(isShown) ? parts : parts.filter(isShown);
    shownParts.set(parts, shown);
  }
  return shown;
}

/** What was hidden because it could not be read is shown as what it is: nothing is lost in silence. */
function isShown(part: Part): boolean {
  if (part.retracted !== undefined) return false;
  return !part.hidden || (part.type === 'raw' && part.reason !== 'no_counterpart');
}

/** How many parts there are to see, in all threads. */
export function countShown({ parts }: Conversation): number {
  let count = 0;
  for (const chunk of parts) count += contentsOf(chunk).shownCount;
  return count;
}

interface Contents {
  readonly threads: ReadonlySet<string>;
  /** The task of a part, and the thread that the part is in; the main thread's is empty. */
  readonly tasks: readonly (readonly [taskId: string, thread: string])[];
  readonly shownCount: number;
}

const known = new WeakMap<readonly Part[], Contents>();

function contentsOf(chunk: readonly Part[]): Contents {
  let contents = known.get(chunk);
  if (!contents) {
    const threads = new Set<string>();
    const tasks: [string, string][] = [];
    let shownCount = 0;
    for (const part of chunk) {
      if (part.subagentId !== undefined) threads.add(part.subagentId);
      if (!isShown(part)) continue;
      shownCount++;
      if ('task' in part && part.task) tasks.push([part.task.taskId, part.subagentId ?? '']);
    }
    contents = { threads, tasks, shownCount };
    known.set(chunk, contents);
  }
  return contents;
}

function rootlessOf(list: List<Part>, byId: ReadonlyMap<string, readonly Part[]>): Threads['rootless'] {
  const below = new Map<string, string[]>();
  for (const chunk of list)
    for (const [taskId, thread] of contentsOf(chunk).tasks) {
      const tasks = below.get(thread);
      if (tasks) tasks.push(taskId);
      else below.set(thread, [taskId]);
    }
  const reached = new Set<string>();
  const reach = (thread: string): void => {
    const open = [thread];
    for (let one = open.pop(); one !== undefined; one = open.pop())
      for (const taskId of below.get(one) ?? [])
        if (!reached.has(taskId)) {
          reached.add(taskId);
          open.push(taskId);
        }
  };
  reach('');
  const left = [...byId].filter(([id]) => !reached.has(id)).sort(([, [a]], [, [b]]) => compareParts(a, b));
  if (left.length === 0) return [];
  const roots: { readonly id: string; readonly parts: readonly Part[] }[] = [];
  const started = new Set(left.flatMap(([id]) => below.get(id) ?? []));
  // First those that nobody started, then one of each circle.
  for (const isFirst of [true, false])
    for (const [id, parts] of left)
      if (!reached.has(id) && (!isFirst || !started.has(id))) {
        reached.add(id);
        reach(id);
        roots.push({ id, parts });
      }
  return roots.sort(({ parts: [a] }, { parts: [b] }) => compareParts(a, b));
}

/** Below zero when `a` comes first. */
export function compareParts(a: Part | undefined, b: Part | undefined): number {
  if (!a || !b) return 0;
  for (let at = 0; at < a.order.length; at++) {
    const difference = (a.order[at] ?? 0) - (b.order[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
