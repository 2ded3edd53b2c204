// Tools of MCP servers under the name that several agents give them: `mcp__server__tool`.

import type { McpTool } from '../event/event.ts';

const PREFIX = 'mcp__';

export function isMcpName(toolName: string): boolean {
  return toolName.startsWith(PREFIX);
}

/**
 * The server and the tool behind such a name. Both may hold `__` themselves, so the tool's own name, where the agent tells it,
 * settles where the server's ends.
 */
export function mcpTool(toolName: string, ownName?: string | undefined): McpTool | undefined {
  if (!isMcpName(toolName)) return undefined;
  const rest = toolName.slice(PREFIX.length);
  if (ownName && rest.endsWith(`__${ownName}`)) return { server: rest.slice(0, -ownName.length - 2), tool: ownName };
  const border = rest.indexOf('__');
  return border < 0 ? { server: rest, tool: '' } : { server: rest.slice(0, border), tool: rest.slice(border + 2) };
}
