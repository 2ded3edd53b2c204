// What was told → what goes over the four old channels. The fifth carries the events as they are.

import type { StreamMessage } from '@tailrace/protocol';
import type { ToldEvent } from './telling.ts';

/** Whose it is. */
export interface Belonging {
  readonly sessionId: string;
  readonly runId?: string;
  /** By which it was told until now. */
  readonly formerId?: string;
}

/** What of it windows hear, if anything. */
export function messageOf(told: ToldEvent, { formerId, ...own }: Belonging): StreamMessage | undefined {
  switch (told.type) {
    case 'init':
      return ['stream:init', { ...own, ...(formerId !== undefined && { formerId }), tools: told.tools }];
    case 'delta': {
      const { content, uuid } = told;
      return ['stream:chunk', { ...own, type: 'text', content, ...(uuid !== undefined && { uuid }) }];
    }
    case 'assistant': {
      const { toolUse, subagentId } = told;
      if (!toolUse) return undefined;
      return ['stream:tool', { ...own, ...(subagentId !== undefined && { subagentId }), type: 'tool_use', toolUse }];
    }
    case 'tool_result': {
      const { toolUseId, content, isError, subagentId } = told;
      const toolResult = { type: 'tool_result', tool_use_id: toolUseId, content, is_error: isError } as const;
      const helper = subagentId !== undefined && { subagentId };
      return ['stream:tool', { ...own, ...helper, type: 'tool_result', toolResult }];
    }
    default:
      return undefined;
  }
}
