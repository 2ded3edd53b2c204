// Claude's tools: what kind each is, and what it does beyond its result.

import { entryOf } from '../../event/json.ts';
import type { Effect } from '../dialects/claude/speaker.ts';
import { isMcpName } from '../mcp.ts';
import { MCP_TOOL, type ToolTraits, traits, traitsIn } from '../tools.ts';

/** Every name Claude Code has used, old ones included. */
const toolTraits: Readonly<Record<string, ToolTraits>> = {
  Read: traits('read'),
  NotebookRead: traits('read', 'notebook'),
  View: traits('read'),
  LS: traits('read', 'list'),
  ListMcpResources: traits('read', 'mcp', 'list'),
  ListMcpResourcesTool: traits('read', 'mcp', 'list'),
  ReadMcpResource: traits('read', 'mcp'),
  ReadMcpResourceTool: traits('read', 'mcp'),
  ReadMcpResourceDir: traits('read', 'mcp', 'list'),
  ReadMcpResourceDirTool: traits('read', 'mcp', 'list'),
  BashOutput: traits('read', 'background'),
  BashOutputTool: traits('read', 'background'),
  TaskOutput: traits('read', 'background'),
  AgentOutput: traits('read', 'background'),
  AgentOutputTool: traits('read', 'background'),
  ReadNotifications: traits('read'),
  Write: traits('edit'),
  Edit: traits('edit'),
  MultiEdit: traits('edit'),
  Replace: traits('edit'),
  str_replace_editor: traits('edit'),
  NotebookEdit: traits('edit', 'notebook'),
  Glob: traits('search'),
  GlobTool: traits('search'),
  Grep: traits('search'),
  GrepTool: traits('search'),
  LSP: traits('search'),
  ToolSearch: traits('search', 'tool_search'),
  Bash: traits('execute'),
  PowerShell: traits('execute'),
  REPL: traits('execute'),
  Eval: traits('execute'),
  KillShell: traits('execute', 'background'),
  KillBash: traits('execute', 'background'),
  TaskStop: traits('execute', 'background'),
  Monitor: traits('execute', 'background'),
  WebFetch: traits('fetch'),
  WebSearch: traits('fetch', 'web_search'),
  TodoWrite: traits('think', 'todo'),
  TodoRead: traits('think', 'todo'),
  TaskCreate: traits('think', 'todo'),
  TaskUpdate: traits('think', 'todo'),
  TaskList: traits('think', 'todo'),
  TaskGet: traits('think', 'todo'),
  Agent: traits('think', 'subagent'),
  Task: traits('think', 'subagent'),
  dispatch_agent: traits('think', 'subagent'),
  Workflow: traits('think', 'subagent'),
  SendMessage: traits('think', 'subagent'),
  ListAgents: traits('think', 'subagent'),
  ListPeers: traits('think', 'subagent'),
  SubagentHandback: traits('think', 'subagent'),
  EnterPlanMode: traits('switch_mode'),
  ExitPlanMode: traits('switch_mode'),
  exit_plan_mode: traits('switch_mode'),
  EnterWorktree: traits('switch_mode', 'worktree'),
  ExitWorktree: traits('switch_mode', 'worktree'),
  AskUserQuestion: traits('other', 'question'),
  Skill: traits('other', 'skill'),
  SlashCommand: traits('other', 'skill'),
  CronCreate: traits('other', 'schedule'),
  CronList: traits('other', 'schedule'),
  CronDelete: traits('other', 'schedule'),
  ScheduleWakeup: traits('other', 'schedule'),
  RemoteTrigger: traits('other', 'schedule'),
  WaitForMcpServers: traits('other', 'mcp'),
  RefreshMcpTools: traits('other', 'mcp'),
  // Run by the provider, inside the model's answer.
  web_search: traits('fetch', 'web_search'),
  web_fetch: traits('fetch'),
  code_execution: traits('execute'),
  bash_code_execution: traits('execute'),
  text_editor_code_execution: traits('edit'),
  tool_search_tool_regex: traits('search', 'tool_search'),
  tool_search_tool_bm25: traits('search', 'tool_search'),
  advisor: traits('think'),
};

export function traitsOf(toolName: string): ToolTraits {
  return isMcpName(toolName) ? MCP_TOOL : traitsIn(toolTraits, toolName);
}

const effects: Readonly<Record<string, Effect>> = {
  Write: 'write',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Replace: 'edit',
  TodoWrite: 'replace_todos',
  TaskCreate: 'add_todo',
  TaskUpdate: 'change_todo',
  ExitPlanMode: 'plan',
  exit_plan_mode: 'plan',
};

export function effectOf(toolName: string): Effect | undefined {
  return entryOf(effects, toolName);
}
