// Qwen Code's tools: what kind each is, what it does beyond its result, and what its results say in words.

import { entryOf } from '../../event/json.ts';
import type { Effect, ToldResult } from '../dialects/claude/speaker.ts';
import { isMcpName } from '../mcp.ts';
import { MCP_TOOL, type ToolTraits, traits, traitsIn } from '../tools.ts';

const toolTraits: Readonly<Record<string, ToolTraits>> = {
  read_file: traits('read'),
  read_many_files: traits('read'),
  read_mcp_resource: traits('read', 'mcp'),
  list_directory: traits('read', 'list'),
  lsp: traits('search'),
  zoom_image: traits('other', 'image'),
  display_image: traits('other', 'image'),
  image_gen: traits('other', 'image'),
  write_file: traits('edit'),
  edit: traits('edit'),
  notebook_edit: traits('edit', 'notebook'),
  glob: traits('search'),
  grep_search: traits('search'),
  tool_search: traits('search', 'tool_search'),
  run_shell_command: traits('execute'),
  exec: traits('execute'),
  monitor: traits('execute', 'background'),
  task_stop: traits('execute', 'background'),
  web_fetch: traits('fetch'),
  web_search: traits('fetch', 'web_search'),
  todo_write: traits('think', 'todo'),
  task_create: traits('think', 'todo'),
  task_list: traits('think', 'todo'),
  task_update: traits('think', 'todo'),
  agent: traits('think', 'subagent'),
  list_agents: traits('think', 'subagent'),
  send_message: traits('think', 'subagent'),
  create_sub_session: traits('think', 'subagent'),
  workflow: traits('think', 'subagent'),
  team_create: traits('think', 'subagent'),
  team_delete: traits('think', 'subagent'),
  save_memory: traits('think', 'memory'),
  enter_plan_mode: traits('switch_mode'),
  exit_plan_mode: traits('switch_mode'),
  enter_worktree: traits('switch_mode', 'worktree'),
  exit_worktree: traits('switch_mode', 'worktree'),
  ask_user_question: traits('other', 'question'),
  skill: traits('other', 'skill'),
  cron_create: traits('other', 'schedule'),
  cron_list: traits('other', 'schedule'),
  cron_delete: traits('other', 'schedule'),
  loop_wakeup: traits('other', 'schedule'),
};

export function traitsOf(toolName: string): ToolTraits {
  return isMcpName(toolName) ? MCP_TOOL : traitsIn(toolTraits, toolName);
}

const effects: Readonly<Record<string, Effect>> = {
  write_file: 'write',
  edit: 'edit',
  notebook_edit: 'edit',
  todo_write: 'replace_todos',
  exit_plan_mode: 'plan',
};

export function effectOf(toolName: string): Effect | undefined {
  return entryOf(effects, toolName);
}

/** The tool that starts a sub-agent. */
export const AGENT_TOOL = 'agent';

const EXIT_CODE = /\nExit Code: (\d{1,9})\n/;
const CANCELLED = /^\[Operation Cancelled\]|was cancelled by user before/;
const DENIED =
  /requires permission to use .{1,200}, but that permission was declined|requires user approval but cannot execute/;

/** How a call went, as far as only its text tells. */
export function readResult(_toolName: string, text: string, isError: boolean): ToldResult {
  const code = EXIT_CODE.exec(text.slice(-2_000))?.[1];
  const exitCode = code === undefined ? undefined : Number(code);
  if (!isError) return { exitCode };
  const beginning = text.slice(0, 500);
  if (CANCELLED.test(beginning)) return { outcome: 'cancelled' };
  return DENIED.test(beginning) ? { outcome: 'denied' } : { exitCode };
}
