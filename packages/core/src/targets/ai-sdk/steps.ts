// The steps of the message: one for each model call of the main thread, begun when it has something to show. A border waits while a
// part is open: the reader looks for the part of an open input in the current step alone, and would make a second one of it.

import type { Send } from './chunk.ts';

/** What is taken back. */
interface Retracted {
  readonly messageIds: ReadonlySet<string>;
  /** Keys of parts. */
  readonly keys: ReadonlySet<string>;
}

export interface Steps {
  /** A part is put into the step, which begins with it. */
  add(key: string, messageId?: string): void;
  /** Whether the part is in the step: the reader looks for it nowhere else. */
  has(key: string): boolean;
  /** A model call begins: what comes is of another step, unless a part of this one is open. */
  next(isOpen: boolean): void;
  end(): void;
  /** Empties the step if everything in it is taken back, and says what was in it. */
  reset(retracted: Retracted): readonly string[];
}

export function createSteps(send: Send): Steps {
  /** The parts of the step, with the message that each belongs to; none while no step is begun. */
  let parts: Map<string, string | undefined> | undefined;

  function end(): void {
    if (parts) send({ type: 'finish-step' });
    parts = undefined;
  }

  return {
    end,
    add(key, messageId) {
      if (!parts) send({ type: 'start-step' });
      parts ??= new Map();
      parts.set(key, messageId);
    },
    has: (key) => parts?.has(key) === true,
    next(isOpen) {
      if (!isOpen && parts?.size) end();
    },
    reset({ messageIds, keys }) {
      const inStep = [...(parts ?? [])];
      const isTaken = ([key, messageId]: [string, string | undefined]): boolean =>
        keys.has(key) || (messageId !== undefined && messageIds.has(messageId));
      if (inStep.length === 0 || !inStep.every(isTaken)) return [];
      send({ type: 'reset-step' });
      parts = new Map();
      return inStep.map(([key]) => key);
    },
  };
}
