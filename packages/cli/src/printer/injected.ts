// What the agent tells its model in the middle of a turn, in the person's place: that it was cut off, what a hook says, which task is
// over. It explains why the model goes on as it does, and is shown when it does. A turn that was interrupted says so itself, and
// the summary of a compacted context is only a copy.

import type { AgentStreamEvent } from '@tailrace/core';
import { promptText } from './opening.ts';

export interface Injected {
  /** What the model was told before this event, which goes on from it. */
  before(event: AgentStreamEvent): readonly string[];
}

/** The model goes on. */
const GOING_ON: ReadonlySet<string> = new Set([
  'step-start',
  'message-start',
  'text-start',
  'text-delta',
  'text-end',
  'reasoning-start',
  'reasoning-end',
  'tool-call-start',
]);

export function createInjected(): Injected {
  let told: string[] = [];
  let isCompacted = false;

  return {
    before(event) {
      if (event.subagentId !== undefined) return [];
      if (event.type === 'user-message' && event.origin === 'injected') {
        const text = promptText(event).trim();
        if (text !== '' && !isCompacted) told.push(text);
        return [];
      }
      if (event.type === 'compaction-end') isCompacted = true;
      else if (event.type === 'turn-end') told = [];
      else if (GOING_ON.has(event.type)) {
        isCompacted = false;
        if (told.length === 0) return [];
        const shown = told;
        told = [];
        return shown;
      }
      return [];
    },
  };
}
