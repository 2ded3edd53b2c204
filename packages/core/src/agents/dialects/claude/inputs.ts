// Inputs of tools: what tells two calls of a tool apart, which files they name, and how MCP names read.

import type { Location, McpTool } from '../../../event/event.ts';
import { asNumber, asObject, type Json } from '../../../event/json.ts';
import { firstText, placeAt } from '../../input.ts';
import type { ToolInput } from './wire.ts';

const MCP_PREFIX = 'mcp__';

export function isMcpName(toolName: string): boolean {
  return toolName.startsWith(MCP_PREFIX);
}

/**
 * The server and the tool behind an `mcp__server__tool` name. Both may hold `__` themselves, so the tool's own name, where
 * the line tells it, settles where the server's ends.
 */
export function mcpTool(toolName: string, ownName: string | undefined): McpTool | undefined {
  if (!isMcpName(toolName)) return undefined;
  const rest = toolName.slice(MCP_PREFIX.length);
  if (ownName && rest.endsWith(`__${ownName}`)) return { server: rest.slice(0, -ownName.length - 2), tool: ownName };
  const border = rest.indexOf('__');
  return border < 0 ? { server: rest, tool: '' } : { server: rest.slice(0, border), tool: rest.slice(border + 2) };
}

const TITLES: readonly string[] = [
  'file_path',
  'notebook_path',
  'target_file',
  'command',
  'pattern',
  'url',
  'query',
  'description',
  'path',
  'target_directory',
  'skill',
  'subject',
];

/** What tells this call from others of the same tool: the path, the command, the pattern, the address. */
export function titleOf(input: Json): string | undefined {
  return firstText(input, TITLES);
}

const PATHS: readonly string[] = ['file_path', 'notebook_path', 'target_file', 'path', 'target_directory'];

export function locationsOf(input: Json): readonly Location[] | undefined {
  return placeAt(firstText(input, PATHS), asNumber(asObject<ToolInput>(input)?.offset));
}
