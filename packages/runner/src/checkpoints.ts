// The prompts of each session that can be gone back to. Tool results and what the CLI says by itself are none: they would push the
// prompts out.

import type { AgentStreamEvent } from '@tailrace/core';

/** As many as are kept of one session; the oldest goes first. */
export const MAX_CHECKPOINTS = 100;

export interface Checkpoint {
  /** The prompt's own id. */
  readonly id: string;
  readonly sessionId: string;
  /** The beginning of the prompt. */
  readonly text: string;
  /** Epoch milliseconds, where somebody knows. */
  readonly at?: number;
}

/** Two agents may call their sessions alike: whoever runs several names the agent too. */
export interface Checkpoints {
  add(event: AgentStreamEvent, agent?: string): void;
  /** Of one session, in the order in which they were said. */
  of(sessionId: string, agent?: string): readonly Checkpoint[];
  /** Forgets those of one session. */
  clear(sessionId: string, agent?: string): void;
}

const SHOWN_CHARACTERS = 200;

export function createCheckpoints(): Checkpoints {
  /** The ids of all that were said, be they kept or not: one that is told again is no new one. */
  const sessions = new Map<string, { readonly said: Set<string>; readonly kept: Checkpoint[] }>();
  const keyOf = (sessionId: string, agent = ''): string => JSON.stringify([agent, sessionId]);
  return {
    add(event, agent) {
      if (event.type !== 'user-message' || event.origin !== 'replay' || event.subagentId !== undefined) return;
      const { sessionId, messageId, at = event.time } = event;
      if (sessionId === undefined || messageId === undefined) return;
      const key = keyOf(sessionId, agent);
      const { said, kept } = sessions.get(key) ?? { said: new Set(), kept: [] };
      sessions.set(key, { said, kept });
      if (said.has(messageId)) return;
      said.add(messageId);
      const text = event.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
      const shown = [...text.slice(0, 2 * SHOWN_CHARACTERS)].slice(0, SHOWN_CHARACTERS).join('');
      kept.push({ id: messageId, sessionId, text: shown, ...(at !== undefined && { at }) });
      if (kept.length > MAX_CHECKPOINTS) kept.shift();
    },
    of: (sessionId, agent) => [...(sessions.get(keyOf(sessionId, agent))?.kept ?? [])],
    clear(sessionId, agent) {
      sessions.delete(keyOf(sessionId, agent));
    },
  };
}
