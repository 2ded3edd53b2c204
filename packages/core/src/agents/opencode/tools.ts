// OpenCode's tools: what kind each is, and what tells two calls of it apart.

import type { Location, McpTool } from '../../event/event.ts';
import { asCount, asObject, asText, entryOf, type Json } from '../../event/json.ts';
import { firstText, placeAt } from '../input.ts';
import { MCP_TOOL, OTHER_TOOL, type ToolTraits, traits } from '../tools.ts';

const toolTraits: Readonly<Record<string, ToolTraits>> = {
  read: traits('read'),
  list: traits('read', 'list'),
  read_mcp_resource: traits('read', 'mcp'),
  list_mcp_resources: traits('read', 'list', 'mcp'),
  list_mcp_resource_templates: traits('read', 'list', 'mcp'),
  write: traits('edit'),
  edit: traits('edit'),
  multiedit: traits('edit'),
  apply_patch: traits('edit', 'patch'),
  patch: traits('edit', 'patch'),
  glob: traits('search'),
  grep: traits('search'),
  lsp: traits('search'),
  codesearch: traits('search'),
  bash: traits('execute'),
  shell: traits('execute'),
  execute: traits('execute'),
  webfetch: traits('fetch'),
  websearch: traits('fetch', 'web_search'),
  todowrite: traits('think', 'todo'),
  todoread: traits('think', 'todo'),
  task: traits('think', 'subagent'),
  plan_enter: traits('switch_mode'),
  plan_exit: traits('switch_mode'),
  question: traits('other', 'question'),
  skill: traits('other', 'skill'),
  // A call that could not be made: of a tool that there is not, or with an input that does not fit.
  invalid: OTHER_TOOL,
};

export function traitsOf(toolName: string): ToolTraits {
  return entryOf(toolTraits, toolName) ?? (mcpTool(toolName) ? MCP_TOOL : OTHER_TOOL);
}

/** The server and the tool behind a `server_tool` name. Where the one ends is a guess: both may hold the mark. */
export function mcpTool(toolName: string): McpTool | undefined {
  const border = toolName.indexOf('_');
  if (border <= 0 || entryOf(toolTraits, toolName)) return undefined;
  return { server: toolName.slice(0, border), tool: toolName.slice(border + 1) };
}

interface ToolInput {
  filePath: string;
  path: string;
  command: string;
  pattern: string;
  url: string;
  query: string;
  description: string;
  name: string;
  tool: string;
  offset: number;
}

const TITLES: readonly string[] = [
  'filePath',
  'command',
  'pattern',
  'path',
  'url',
  'query',
  'description',
  'name',
  'tool',
];

/** What tells this call from others of the same tool. */
export function titleOf(input: Json): string | undefined {
  return firstText(input, TITLES);
}

export function locationsOf(input: Json): readonly Location[] | undefined {
  const fields = asObject<ToolInput>(input);
  return placeAt(asText(fields?.filePath) ?? asText(fields?.path), asCount(fields?.offset));
}
