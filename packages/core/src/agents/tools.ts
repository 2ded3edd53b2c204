// What kind of tool a name stands for. Every agent has a table of its own names.

import type { ToolKind, ToolTag } from '../event/event.ts';
import { entryOf } from '../event/json.ts';

export interface ToolTraits {
  readonly kind: ToolKind;
  readonly tags?: readonly ToolTag[];
}

export const traits = (kind: ToolKind, ...tags: readonly ToolTag[]): ToolTraits =>
  tags.length ? { kind, tags } : { kind };

/** What a name that nobody knows stands for. */
export const OTHER_TOOL: ToolTraits = { kind: 'other' };
export const MCP_TOOL: ToolTraits = { kind: 'other', tags: ['mcp'] };

/** The traits of a tool by its name; `other` is always right. */
export function traitsIn(table: Readonly<Record<string, ToolTraits>>, toolName: string): ToolTraits {
  return entryOf(table, toolName) ?? OTHER_TOOL;
}
