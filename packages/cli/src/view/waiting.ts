// What waits for the person, over all sessions: how many runs there are that do, and a word to whoever looks elsewhere when one more does.

import type { WaitingRequest } from '@tailrace/client/react';
import type { SessionInfo } from '@tailrace/protocol';
import { useEffect, useRef } from 'react';
import { nameOf } from './answer/answering.ts';

/** Whether it waits in the terminal of its own run, where it has to be answered. */
export function waitsElsewhere({ live }: SessionInfo): boolean {
  return live?.state === 'waiting' && !live.isOurs;
}

/** How many runs wait, besides those of one session. */
export function countWaiting(
  requests: readonly WaitingRequest[],
  sessions: readonly SessionInfo[],
  besides?: string,
): number {
  const asking = requests.filter(({ sessionId, isAnswered }) => !isAnswered && sessionId !== besides);
  const elsewhere = sessions.filter((one) => waitsElsewhere(one) && one.id !== besides);
  return new Set([...asking.map(({ runId }) => runId), ...elsewhere.map(({ id, live }) => live?.runId ?? id)]).size;
}

/** Something that waits, and in which session. */
export interface Waiter {
  readonly name: string;
  readonly sessionId: string | null;
}

export function askingOf(requests: readonly WaitingRequest[]): readonly Waiter[] {
  return requests.map((one) => ({ name: nameOf(one), sessionId: one.sessionId }));
}

export function elsewhereOf(sessions: readonly SessionInfo[]): readonly Waiter[] {
  return sessions
    .filter(waitsElsewhere)
    .map(({ id, live }) => ({ name: `${live?.runId ?? id} ${live?.since ?? ''}`, sessionId: id }));
}

/** Rings once when something begins to wait that is not on the screen. What waits when all of it is first known is nothing new. */
export function useBell(
  waiters: readonly Waiter[],
  isKnown: boolean,
  shownSession: string | null | undefined,
  ring: () => void,
): void {
  const heard = useRef<Set<string>>(undefined);
  useEffect(() => {
    if (!isKnown) return;
    const before = heard.current;
    const fresh = waiters.filter(({ name }) => !before?.has(name));
    if (before && fresh.length === 0) return;
    heard.current = new Set([...(before ?? []), ...fresh.map(({ name }) => name)]);
    if (before && fresh.some(({ sessionId }) => sessionId === null || sessionId !== shownSession)) ring();
  });
}
