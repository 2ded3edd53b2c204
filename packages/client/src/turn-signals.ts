// Where answers begin, go on and end. An answer is all that is said to one prompt: also what the agent says by itself when something
// it left in the background is over. Pure.

import type { AgentStreamEvent, EventOf } from '@tailrace/core';
import type { StreamSignal } from './stream-source.ts';

type WithoutSession<S> = S extends StreamSignal ? Omit<S, 'sessionId'> : never;
export type TurnSignal = WithoutSession<Extract<StreamSignal, { readonly type: 'start' | 'go-on' | 'block' | 'end' }>>;

const START: TurnSignal = { type: 'start' };
const GO_ON: TurnSignal = { type: 'go-on' };
const BLOCK: TurnSignal = { type: 'block' };

/**
 * For the events of one session, in their order; each comes before what it tells. `knowsPrompts`: every prompt is among them, so that a
 * turn without one was begun by the agent. Else that is found out: by the start of a run, which tells its prompt, or by an echo.
 */
export function createTurnSignals(knowsPrompts = false): (event: AgentStreamEvent) => readonly TurnSignal[] {
  let isTold = knowsPrompts;
  let isInTurn = false;
  /** A prompt is there whose turn is still to begin. */
  let isNext = false;
  /** What is said belongs to an answer that has begun. */
  let hasBegun = false;
  /** Something was said in this turn: a prompt that comes now is taken up on the way. */
  let hasSpoken = false;
  const open = new Set<string>();

  function begin(): readonly TurnSignal[] {
    hasBegun = true;
    return [START];
  }

  function startTurn(): readonly TurnSignal[] {
    // Turns may overlap: then this one is none of its own.
    if (isInTurn && !isNext) return [];
    hasBegun = false;
    hasSpoken = false;
    isInTurn = true;
    // Else the prompt, or the first word, will tell whose it is.
    if (isTold && !isNext) return [];
    isNext = false;
    return begin();
  }

  function hearPrompt({ origin }: EventOf<'user-message'>): readonly TurnSignal[] {
    if (origin === 'injected') return [];
    isTold = true;
    if (!isInTurn) isNext = true;
    return isInTurn && !hasSpoken ? begin() : [];
  }

  function speak(): readonly TurnSignal[] {
    hasSpoken = true;
    if (hasBegun) return [];
    hasBegun = true;
    return [GO_ON];
  }

  return (event) => {
    // What a sub-agent says is no part of the answer.
    if (event.subagentId !== undefined) return [];
    switch (event.type) {
      case 'run-start':
        // One that ends before its first turn has no part in the answer before.
        isTold = true;
        isNext = true;
        isInTurn = false;
        return begin();
      case 'turn-start':
        return startTurn();
      case 'user-message':
        return hearPrompt(event);
      case 'text-start':
        open.add(event.blockId);
        return [...speak(), BLOCK];
      case 'text-delta':
        // Whoever listens from the middle of a block on hears the end of it as the same one.
        open.add(event.blockId);
        return [];
      case 'text-end':
        // Of one that was over before somebody listened, the beginning is not told again.
        return open.delete(event.blockId) ? [] : [...speak(), BLOCK];
      case 'reasoning-start':
      case 'tool-call-start':
        return speak();
      case 'turn-end':
        isInTurn = false;
        hasBegun = false;
        return [endOf(event)];
      default:
        return [];
    }
  };
}

function endOf({ outcome, error, usage, cost }: EventOf<'turn-end'>): TurnSignal {
  return {
    type: 'end',
    success: outcome === 'success',
    ...(error && { error: error.message }),
    ...(outcome === 'cancelled' && { aborted: true }),
    ...(usage && { totalTokens: { input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0 } }),
    ...(cost?.currency === 'USD' && { costUsd: cost.amount }),
  };
}
