// The last thing the model said on the main thread: whole blocks only, and not what was taken back.

import type { AgentStreamEvent } from '../event/event.ts';

export interface TextTrace {
  add(event: AgentStreamEvent): void;
  last(): string | null;
}

export function createTextTrace(): TextTrace {
  /** The blocks of this turn in order; null while a block is open or when it was cut. */
  let blocks = new Map<string, string | null>();
  /** The agent's time of the newest block: one that comes late, of an earlier run, is not the last. */
  let newest = 0;
  let blocksOf = new Map<string, string[]>();
  /** What the last turn's result says, for a stream that shows no text of its own. */
  let result: string | null = null;

  return {
    add(event) {
      if (event.subagentId !== undefined) return;
      switch (event.type) {
        case 'text-start': {
          if ((event.time ?? event.after ?? newest) < newest) break;
          newest = event.time ?? event.after ?? newest;
          const ids = blocksOf.get(event.messageId);
          if (ids) ids.push(event.blockId);
          else blocksOf.set(event.messageId, [event.blockId]);
          blocks.set(event.blockId, null);
          break;
        }
        case 'text-end':
          if (blocks.has(event.blockId)) blocks.set(event.blockId, event.partial ? null : event.text);
          newest = Math.max(newest, event.time ?? 0);
          break;
        case 'message-retract':
          for (const id of event.blockIds ?? []) blocks.delete(id);
          for (const id of event.messageIds ?? []) for (const blockId of blocksOf.get(id) ?? []) blocks.delete(blockId);
          break;
        case 'turn-end': {
          // Only the last one can still be asked for: a long session does not keep all it ever said.
          const [last] = [...blocks].slice(-1);
          blocks = new Map(last ? [last] : []);
          blocksOf = new Map();
          result = event.outcome === 'success' && event.structured === undefined ? (event.result ?? null) : null;
          break;
        }
      }
    },
    last() {
      const [last] = [...blocks.values()].slice(-1);
      return last === undefined ? result || null : last;
    },
  };
}
