import type { AgentStreamEvent } from '@tailrace/core';
import type { Piece } from './pieces.ts';

/** The piece of a longer text that an event brings. */
export function pieceOf(event: AgentStreamEvent): Piece | undefined {
  switch (event.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return { key: `block ${event.subagentId ?? ''} ${event.blockId}`, text: event.delta };
    case 'tool-call-input-delta':
      return { key: `input ${event.toolCallId}`, text: event.delta };
    case 'tool-call-update':
      return event.outputDelta === undefined
        ? undefined
        : { key: `output ${event.toolCallId} ${event.stream ?? ''}`, text: event.outputDelta };
    default:
      return undefined;
  }
}

/** The texts that are whole with an event. */
export function endedBy(event: AgentStreamEvent): readonly string[] {
  switch (event.type) {
    case 'text-end':
    case 'reasoning-end':
      return [`block ${event.subagentId ?? ''} ${event.blockId}`];
    case 'tool-call-input-end':
      return [`input ${event.toolCallId}`];
    case 'tool-call-end':
      return ['', 'stdout', 'stderr'].map((stream) => `output ${event.toolCallId} ${stream}`);
    default:
      return [];
  }
}
