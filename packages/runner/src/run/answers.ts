// Requests of the agent and their answers: a policy is asked first, then people; each request is answered once, never by time.

import type { Answer, RequestEvent } from '@tailrace/core';
import { messageOf, TailraceError } from '../start/errors.ts';

/** Decides about a request, or leaves it to a person by giving nothing. It is asked once, and may take its time. */
export type Policy = (request: RequestEvent) => Answer | undefined | Promise<Answer | undefined>;

export interface AnswerOptions {
  readonly policy: Policy | undefined;
  /** The request, while it waits. */
  readonly find: (requestId: string) => RequestEvent | undefined;
  /** Writes the answer; false when the agent takes none any more. */
  readonly write: (request: RequestEvent, answer: Answer, by: 'user' | 'policy') => boolean;
  /** Nobody but a person can tell. */
  readonly leave: (request: RequestEvent) => void;
  readonly warn: (sentence: string) => void;
}

export interface Answers {
  /** Something is asked. */
  ask(request: RequestEvent): void;
  /** Throws when nothing of this id waits. */
  give(requestId: string, answer: Answer, by: 'user' | 'policy'): void;
  /** Whether the request has been answered from here. */
  has(requestId: string): boolean;
}

export function createAnswers({ policy, find, write, leave, warn }: AnswerOptions): Answers {
  const given = new Set<string>();
  const isWaiting = (requestId: string): boolean => find(requestId) !== undefined && !given.has(requestId);

  function give(requestId: string, answer: Answer, by: 'user' | 'policy'): void {
    const request = find(requestId);
    if (!request || given.has(requestId))
      throw new TailraceError(
        'no-such-request',
        `no request "${requestId}" waits for an answer: it has one, or was taken back`,
      );
    // Before it is written: whoever hears of it may answer again.
    given.add(requestId);
    if (!write(request, answer, by)) throw new TailraceError('not-listening', 'the agent takes no more answers');
  }

  async function decide(request: RequestEvent, ask: Policy): Promise<void> {
    let answer: Answer | undefined;
    try {
      answer = await ask(request);
    } catch (error) {
      warn(`the policy failed, so a person is asked: ${messageOf(error)}`);
    }
    if (!isWaiting(request.requestId)) return;
    if (answer) give(request.requestId, answer, 'policy');
    else leave(request);
  }

  return {
    ask(request) {
      if (policy) decide(request, policy).catch((error: unknown) => warn(String(error)));
      else leave(request);
    },
    give,
    has: (requestId) => given.has(requestId),
  };
}
