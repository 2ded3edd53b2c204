// Replays to one client take turns: what was read for it and waits to be sent is in memory once, however much it asks for.

import type { Outlet } from './outlet.ts';

interface Queue {
  last: Promise<unknown>;
  /** Who is at it, and who waits. */
  size: number;
}

const queues = new WeakMap<Outlet, Queue>();

/** Does the work when everybody before has done theirs. */
export async function inTurn<T>(outlet: Outlet, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(outlet) ?? { last: Promise.resolve(), size: 0 };
  queues.set(outlet, queue);
  queue.size++;
  const own = queue.last.then(work).finally(() => queue.size--);
  // A failure is for whoever asked.
  queue.last = own.catch(() => undefined);
  return own;
}

/** Whether somebody waits for their turn. */
export function isAwaited(outlet: Outlet): boolean {
  return (queues.get(outlet)?.size ?? 0) > 1;
}
