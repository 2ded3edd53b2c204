// Copilot's tools: what kind each is, and what tells two calls of it apart.

import type { Location, McpTool, TodoEntry } from '../../event/event.ts';
import { asObject, asText, type Json, type Loose } from '../../event/json.ts';
import { firstText, placeAt } from '../input.ts';
import { MCP_TOOL, type ToolTraits, traits, traitsIn } from '../tools.ts';
import type { Data } from './wire.ts';

const shellTools = (shell: string): Record<string, ToolTraits> => ({
  [shell]: traits('execute'),
  [`write_${shell}`]: traits('execute', 'background'),
  [`stop_${shell}`]: traits('execute', 'background'),
  [`read_${shell}`]: traits('read', 'background'),
  [`list_${shell}`]: traits('read', 'background'),
});

const toolTraits: Readonly<Record<string, ToolTraits>> = {
  view: traits('read'),
  fetch_copilot_cli_documentation: traits('read'),
  read_workflow_run: traits('read', 'background'),
  create: traits('edit'),
  edit: traits('edit'),
  str_replace_editor: traits('edit'),
  apply_patch: traits('edit', 'patch'),
  glob: traits('search'),
  grep: traits('search'),
  rg: traits('search'),
  lexical_code_search: traits('search'),
  semantic_code_search: traits('search'),
  session_store_sql: traits('search'),
  lsp: traits('search'),
  tool_search: traits('search', 'tool_search'),
  ...shellTools('bash'),
  ...shellTools('powershell'),
  local_shell: traits('execute'),
  web_fetch: traits('fetch'),
  web_search: traits('fetch', 'web_search'),
  // The table of its session's database that it uses most is the todo list.
  sql: traits('think', 'todo'),
  update_todo: traits('think', 'todo'),
  task: traits('think', 'subagent'),
  read_agent: traits('think', 'subagent'),
  write_agent: traits('think', 'subagent'),
  list_agents: traits('think', 'subagent'),
  execution_subagent: traits('think', 'subagent'),
  run_dynamic_workflow: traits('think', 'subagent'),
  store_memory: traits('think', 'memory'),
  vote_memory: traits('think', 'memory'),
  exit_plan_mode: traits('switch_mode'),
  ask_user: traits('other', 'question'),
  skill: traits('other', 'skill'),
  manage_schedule: traits('other', 'schedule'),
  image_generation: traits('other', 'image'),
};

export function traitsOf(toolName: string, mcp: McpTool | undefined): ToolTraits {
  return mcp ? MCP_TOOL : traitsIn(toolTraits, toolName);
}

export function mcpTool(data: Loose<Data>): McpTool | undefined {
  const server = asText(data.mcpServerName);
  const tool = asText(data.mcpToolName) ?? asText(data.toolName);
  return server === undefined || tool === undefined ? undefined : { server, tool };
}

interface ToolInput {
  path: string;
  file_path: string;
  command: string;
  pattern: string;
  url: string;
  query: string;
  description: string;
  skill: string;
  question: string;
  summary: string;
  file_text: string;
  todos: string;
}

const TITLES: readonly string[] = [
  'path',
  'file_path',
  'command',
  'pattern',
  'url',
  'description',
  'query',
  'skill',
  'question',
  'summary',
];

/** What tells this call from others of the same tool. */
export function titleOf(input: Json): string | undefined {
  return firstText(input, TITLES);
}

export function locationsOf(input: Json): readonly Location[] | undefined {
  const path = pathOf(input);
  return placeAt(path);
}

function pathOf(input: Json): string | undefined {
  const fields = asObject<ToolInput>(input);
  // Where a search begins tells less than what it looks for.
  if (asText(fields?.pattern) !== undefined) return undefined;
  return asText(fields?.path) ?? asText(fields?.file_path);
}

/** The text of a file that a call makes. */
export function newTextOf(input: Json): string | undefined {
  return asText(asObject<ToolInput>(input)?.file_text);
}

const OPEN_ITEM = '- [ ] ';
const DONE_ITEM = /^- \[[xX]\] /;

/** The list that a call of update_todo puts in place: a checklist in Markdown. */
export function todosOf(input: Json): readonly TodoEntry[] | undefined {
  const list = asText(asObject<ToolInput>(input)?.todos);
  return list?.split('\n').flatMap((row): readonly TodoEntry[] => {
    const item = row.trim();
    const content = item.slice(OPEN_ITEM.length).trim();
    if (item.startsWith(OPEN_ITEM)) return [{ content, status: 'pending' }];
    return DONE_ITEM.test(item) ? [{ content, status: 'completed' }] : [];
  });
}
