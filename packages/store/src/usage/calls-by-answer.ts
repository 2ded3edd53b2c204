// Which tools an answer called. Calls and answers are told by the same lines and have the same clock: a call is of the last answer
// that began before it on its thread.

import type { UsageNames } from '../contract.ts';

/** The session, the name, the sub-agent, and when it began. */
export type Timed = readonly [sessionId: string, name: string, subagentId: string | null, at: number];

const NONE = ['none'];
const NOBODY: readonly string[] = [];

/** `answers` by their ids, `calls` by the names of their tools; both in any order. */
export function callsByAnswer(answers: readonly Timed[], calls: readonly Timed[]): UsageNames {
  const sessions = new Map<string, Map<string, string[]>>();
  const threads = new Map<string, Thread>();
  for (const [sessionId, id, subagentId, at] of answers) {
    threadOf(threads, sessionId, subagentId).push({ id, at });
    if (!sessions.has(sessionId)) sessions.set(sessionId, new Map());
  }
  for (const thread of threads.values()) thread.sort((a, b) => a.at - b.at);
  for (const [sessionId, name, subagentId, at] of calls) {
    const answer = lastBefore(threadOf(threads, sessionId, subagentId), at);
    if (!answer) continue;
    const named = sessions.get(sessionId);
    const names = named?.get(answer.id);
    if (names) names.push(name);
    else named?.set(answer.id, [name]);
  }
  return ({ sessionId, id, messages }) => {
    const named = sessions.get(sessionId);
    // The rest of a total is no answer.
    if (!named || messages === 0) return NOBODY;
    return named.get(id) ?? NONE;
  };
}

type Thread = { readonly id: string; readonly at: number }[];

function threadOf(threads: Map<string, Thread>, sessionId: string, subagentId: string | null): Thread {
  const key = subagentId === null ? sessionId : `${sessionId} ${subagentId}`;
  let thread = threads.get(key);
  if (!thread) {
    thread = [];
    threads.set(key, thread);
  }
  return thread;
}

function lastBefore(thread: Thread, at: number): Thread[number] | undefined {
  let [low, high] = [0, thread.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((thread[middle]?.at ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return thread[low - 1];
}
