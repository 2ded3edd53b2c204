// The last thing the model said on the main thread: whole blocks only, and not what was taken back.

import type { AgentStreamEvent } from '../event/event.ts';

export interface TextTrace {
  add(event: AgentStreamEvent): void;
  last(): string | null;
}

export function createTextTrace(): TextTrace {
  /** The blocks of this turn in order; null while a block is open or when it was cut. */
  let blocks = new Map<string, { readonly messageId: string; readonly text: string | null }>();

  return {
    add(event) {
      if (event.subagentId !== undefined) return;
      switch (event.type) {
        case 'text-start':
          blocks.set(event.blockId, { messageId: event.messageId, text: null });
          break;
        case 'text-end':
          blocks.set(event.blockId, { messageId: event.messageId, text: event.partial ? null : event.text });
          break;
        case 'message-retract':
          for (const id of event.blockIds ?? []) blocks.delete(id);
          for (const [id, { messageId }] of blocks) if (event.messageIds?.includes(messageId)) blocks.delete(id);
          break;
        case 'turn-end':
          // Only the last one can still be asked for: a long session does not keep all it ever said.
          blocks = new Map([...blocks].slice(-1));
          break;
      }
    },
    last: () => [...blocks.values()].at(-1)?.text ?? null,
  };
}
