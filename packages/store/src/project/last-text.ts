// The beginning of the last thing that the agent said on the main thread, for a list. What is still being said does not count yet.

import type { AgentStreamEvent } from '@tailrace/core';
import { beginningOf } from './beginning.ts';
import { isTime } from './times.ts';

export interface LastText {
  add(event: AgentStreamEvent): void;
  last(): string | null;
}

const CHARACTERS = 200;
/** So many texts can be taken back and leave the one before them. */
const REMEMBERED = 20;

interface Said {
  readonly blockId: string;
  readonly messageId: string;
  readonly text: string;
}

export function createLastText(): LastText {
  let said: readonly Said[] = [];
  /** The agent's time of the newest: what comes late, from another file, is not the last. */
  let newest = Number.NEGATIVE_INFINITY;
  /** For a stream that shows no text of its own. */
  let result: string | null = null;

  return {
    add(event) {
      if (event.subagentId !== undefined) return;
      switch (event.type) {
        case 'text-end': {
          const { blockId, messageId, time } = event;
          if (isTime(time) && time < newest) break;
          if (isTime(time)) newest = time;
          const text = beginningOf(event.text, CHARACTERS);
          if (text !== '') said = [...said, { blockId, messageId, text }].slice(-REMEMBERED);
          break;
        }
        case 'message-retract': {
          const { blockIds = [], messageIds = [] } = event;
          said = said.filter((one) => !blockIds.includes(one.blockId) && !messageIds.includes(one.messageId));
          break;
        }
        case 'turn-end':
          if (event.result !== undefined && event.structured === undefined)
            result = beginningOf(event.result, CHARACTERS);
          break;
      }
    },
    last: () => said.at(-1)?.text ?? (result || null),
  };
}
