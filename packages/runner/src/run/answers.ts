// Requests of the agent and their answers: a policy is asked first, then people; each request is answered once, never by time.

import type { Answer, RequestEvent } from '@tailrace/core';
import { isTailraceError, messageOf, TailraceError } from '../start/errors.ts';
import { lineOfAnswer } from './line-of-answer.ts';

/** Decides about a request, or leaves it to a person by giving nothing. It is asked once, and may take its time. */
export type Policy = (request: RequestEvent) => Answer | undefined | Promise<Answer | undefined>;

export interface AnswerOptions {
  readonly policy: Policy | undefined;
  /** The request, while it waits. */
  readonly find: (requestId: string) => RequestEvent | undefined;
  /** Why nobody would hear an answer now, if so. */
  readonly deafness: () => string | undefined;
  /** The line that says it to the agent; undefined where the agent takes none. */
  readonly lineOf: ((request: RequestEvent, answer: Answer) => string) | undefined;
  /** Writes the answer and tells of it; false when the agent takes none any more, and nothing was told. */
  readonly write: (request: RequestEvent, line: string, by: 'user' | 'policy') => boolean;
  /** Nobody but a person can tell. */
  readonly leave: (request: RequestEvent) => void;
  readonly warn: (sentence: string) => void;
}

export interface Answers {
  /** Something is asked. */
  ask(request: RequestEvent): void;
  /** Throws when nothing of this id waits, and when this is no answer to it: then it waits on. */
  give(requestId: string, answer: Answer, by: 'user' | 'policy'): void;
  /** Whether the request waits, and an answer would be heard. */
  isWaiting(requestId: string): boolean;
}

export function createAnswers({ policy, find, deafness, lineOf, write, leave, warn }: AnswerOptions): Answers {
  const given = new Set<string>();
  const isWaiting = (requestId: string): boolean =>
    find(requestId) !== undefined && !given.has(requestId) && deafness() === undefined;

  function give(requestId: string, answer: Answer, by: 'user' | 'policy'): void {
    const request = find(requestId);
    if (!request || given.has(requestId))
      throw new TailraceError(
        'no-such-request',
        `no request "${requestId}" waits for an answer: it has one, or was taken back`,
      );
    const deaf = deafness();
    if (deaf !== undefined) throw new TailraceError('not-listening', deaf);
    // Before it is read and written: whoever hears of it may answer again.
    given.add(requestId);
    let line: string | undefined;
    try {
      line = lineOf && lineOfAnswer(request, answer, lineOf);
    } catch (error) {
      given.delete(requestId);
      throw error;
    }
    if (line !== undefined && write(request, line, by)) return;
    given.delete(requestId);
    throw new TailraceError('not-listening', 'the agent takes no more answers');
  }

  async function decide(request: RequestEvent, ask: Policy): Promise<void> {
    let answer: Answer | undefined;
    try {
      answer = await ask(request);
    } catch (error) {
      warn(`the policy failed, so a person is asked: ${messageOf(error)}`);
    }
    if (!isWaiting(request.requestId)) return;
    if (!answer) return leave(request);
    try {
      give(request.requestId, answer, 'policy');
    } catch (error) {
      if (!isTailraceError(error) || error.code !== 'bad-answer') throw error;
      warn(`the policy's answer was refused, so a person is asked: ${error.message}`);
      leave(request);
    }
  }

  return {
    ask(request) {
      if (policy) decide(request, policy).catch((error: unknown) => warn(String(error)));
      else leave(request);
    },
    give,
    isWaiting,
  };
}
