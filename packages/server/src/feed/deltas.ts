// A replay leaves out the pieces of what it also sends whole.

import type { AgentStreamEvent } from '@tailrace/core';

/** What an event is a piece of, or the whole of; nothing for others. */
function partOf(event: AgentStreamEvent): { readonly id: string; readonly isWhole: boolean } | undefined {
  switch (event.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return { id: `block ${event.blockId}`, isWhole: false };
    case 'text-end':
    case 'reasoning-end':
      // One that was broken off is as whole as it will ever be.
      return { id: `block ${event.blockId}`, isWhole: true };
    case 'tool-call-input-delta':
      return { id: `input ${event.toolCallId}`, isWhole: false };
    case 'tool-call-input-end':
      return { id: `input ${event.toolCallId}`, isWhole: true };
    case 'tool-call-update':
      return event.outputDelta === undefined && event.outputSnapshot === undefined
        ? undefined
        : { id: `output ${event.toolCallId}`, isWhole: false };
    case 'tool-call-end':
      return { id: `output ${event.toolCallId}`, isWhole: true };
    default:
      return undefined;
  }
}

export interface Wholes {
  /** Hears of everything that will be sent. */
  add(event: AgentStreamEvent): void;
  /** Whether the whole of what this is a piece of will be sent too. */
  isPiece(event: AgentStreamEvent): boolean;
}

export function createWholes(): Wholes {
  const wholes = new Set<string>();
  return {
    add(event) {
      const part = partOf(event);
      if (part?.isWhole) wholes.add(part.id);
    },
    isPiece(event) {
      const part = partOf(event);
      return part !== undefined && !part.isWhole && wholes.has(part.id);
    },
  };
}
