// Gemini's tools: what kind each is, what tells two calls of it apart, and what its parameters say will have changed.

import type { FileChange, Location, McpTool, TodoEntry } from '../../event/event.ts';
import { asList, asObject, asText, type Json } from '../../event/json.ts';
import { firstText, placeAt } from '../input.ts';
import { MCP_TOOL, type ToolTraits, traits, traitsIn } from '../tools.ts';

const toolTraits: Readonly<Record<string, ToolTraits>> = {
  read_file: traits('read'),
  read_many_files: traits('read'),
  read_mcp_resource: traits('read', 'mcp'),
  get_internal_docs: traits('read'),
  list_directory: traits('read', 'list'),
  list_mcp_resources: traits('read', 'list', 'mcp'),
  read_background_output: traits('read', 'background'),
  list_background_processes: traits('read', 'background'),
  write_file: traits('edit'),
  replace: traits('edit'),
  glob: traits('search'),
  grep_search: traits('search'),
  run_shell_command: traits('execute'),
  web_fetch: traits('fetch'),
  google_web_search: traits('fetch', 'web_search'),
  write_todos: traits('think', 'todo'),
  tracker_create_task: traits('think', 'todo'),
  tracker_update_task: traits('think', 'todo'),
  tracker_get_task: traits('think', 'todo'),
  tracker_list_tasks: traits('think', 'todo'),
  tracker_add_dependency: traits('think', 'todo'),
  tracker_visualize: traits('think', 'todo'),
  invoke_agent: traits('think', 'subagent'),
  update_topic: traits('think', 'memory'),
  enter_plan_mode: traits('switch_mode'),
  exit_plan_mode: traits('switch_mode'),
  ask_user: traits('other', 'question'),
  activate_skill: traits('other', 'skill'),
  complete_task: traits('other'),
};

const MCP_PREFIX = 'mcp_';

export function traitsOf(toolName: string): ToolTraits {
  return toolName.startsWith(MCP_PREFIX) ? MCP_TOOL : traitsIn(toolTraits, toolName);
}

/** What is offered only where it need not be asked for: all of it where everything is allowed, less in the other modes. */
const ASKS: ReadonlySet<string> = new Set([
  'run_shell_command',
  'read_background_output',
  'list_background_processes',
  'write_file',
  'replace',
  'web_fetch',
  'write_todos',
  'enter_plan_mode',
  'activate_skill',
  'ask_user',
]);

export function mustAsk(toolName: string): boolean {
  return ASKS.has(toolName);
}

/** The server and the tool behind an `mcp_server_tool` name: Gemini itself takes the first `_` for the border. */
export function mcpTool(toolName: string): McpTool | undefined {
  if (!toolName.startsWith(MCP_PREFIX)) return undefined;
  const rest = toolName.slice(MCP_PREFIX.length);
  const border = rest.indexOf('_');
  return border < 0 ? { server: rest, tool: '' } : { server: rest.slice(0, border), tool: rest.slice(border + 1) };
}

interface ToolInput {
  file_path: string;
  dir_path: string;
  content: string;
  old_string: string;
  new_string: string;
  command: string;
  pattern: string;
  query: string;
  prompt: string;
  agent_name: string;
  title: string;
  name: string;
  plan_filename: string;
  todos: { description: string; status: string }[];
}

/** The parameters that tell a call from others of the same tool, the most telling first. */
const TITLES = [
  'command',
  'file_path',
  'pattern',
  'query',
  'agent_name',
  'prompt',
  'dir_path',
  'title',
  'name',
] as const;

export function titleOf(input: Json): string | undefined {
  return firstText(input, TITLES);
}

export function locationsOf(input: Json): readonly Location[] | undefined {
  const fields = asObject<ToolInput>(input);
  const path = asText(fields?.file_path) ?? asText(fields?.dir_path);
  return placeAt(path);
}

/** The file that a successful call has changed. Nobody tells whether one that was written is new. */
export function changeOf(toolName: string, input: Json): FileChange | undefined {
  const fields = asObject<ToolInput>(input);
  const path = asText(fields?.file_path);
  if (path === undefined) return undefined;
  switch (toolName) {
    case 'write_file':
      return { path, operation: 'modify', ...newTextOf(fields?.content) };
    case 'replace':
      // Nothing to replace is how a new file is asked for.
      return fields?.old_string === ''
        ? { path, operation: 'add', ...newTextOf(fields.new_string) }
        : { path, operation: 'modify' };
    default:
      return undefined;
  }
}

function newTextOf(text: Json): Pick<FileChange, 'newText'> {
  return typeof text === 'string' ? { newText: text } : {};
}

/** The list that a call of write_todos puts in place. */
export function todosOf(input: Json): readonly TodoEntry[] {
  return asList(asObject<ToolInput>(input)?.todos).flatMap((value) => {
    const todo = asObject<ToolInput['todos'][number]>(value);
    const content = asText(todo?.description);
    return content === undefined ? [] : [{ content, status: statusOf(todo?.status) }];
  });
}

/** There is also `blocked`, which is not begun. */
function statusOf(word: Json): TodoEntry['status'] {
  return word === 'in_progress' || word === 'completed' || word === 'cancelled' ? word : 'pending';
}

/** The sub-agent that a call of invoke_agent sets to work. */
export function agentOf(input: Json): { readonly name?: string | undefined; readonly prompt?: string | undefined } {
  const fields = asObject<ToolInput>(input);
  return { name: asText(fields?.agent_name), prompt: asText(fields?.prompt) };
}

/** The file of the plan that exit_plan_mode puts forward. */
export function planPathOf(input: Json): string | undefined {
  return asText(asObject<ToolInput>(input)?.plan_filename);
}
