// Claude's tools: what kind each is, what tells two calls of it apart, and how its MCP names read.

import type { Location, McpTool, ToolKind, ToolTag } from '../../event/event.ts';
import { asNumber, asObject, asText, type Json } from '../../event/json.ts';
import type { ToolInput } from './wire.ts';

export interface ToolTraits {
  readonly kind: ToolKind;
  readonly tags?: readonly ToolTag[];
}

const traits = (kind: ToolKind, ...tags: readonly ToolTag[]): ToolTraits => (tags.length ? { kind, tags } : { kind });

/** Every name Claude Code has used, old ones included. */
const toolTraits: ReadonlyMap<string, ToolTraits> = new Map(
  Object.entries({
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
  }),
);

const OTHER: ToolTraits = { kind: 'other' };
const MCP: ToolTraits = { kind: 'other', tags: ['mcp'] };
const MCP_PREFIX = 'mcp__';

export function traitsOf(toolName: string): ToolTraits {
  return toolTraits.get(toolName) ?? (toolName.startsWith(MCP_PREFIX) ? MCP : OTHER);
}

/**
 * The server and the tool behind an `mcp__server__tool` name. Both may hold `__` themselves, so the tool's own name, where
 * the line tells it, settles where the server's ends.
 */
export function mcpTool(toolName: string, ownName: string | undefined): McpTool | undefined {
  if (!toolName.startsWith(MCP_PREFIX)) return undefined;
  const rest = toolName.slice(MCP_PREFIX.length);
  if (ownName && rest.endsWith(`__${ownName}`)) return { server: rest.slice(0, -ownName.length - 2), tool: ownName };
  const border = rest.indexOf('__');
  return border < 0 ? { server: rest, tool: '' } : { server: rest.slice(0, border), tool: rest.slice(border + 2) };
}

/** What tells this call from others of the same tool: the path, the command, the pattern, the address. */
export function titleOf(input: Json): string | undefined {
  const fields = asObject<ToolInput>(input);
  if (!fields) return undefined;
  return (
    asText(fields.file_path) ??
    asText(fields.notebook_path) ??
    asText(fields.command) ??
    asText(fields.pattern) ??
    asText(fields.url) ??
    asText(fields.query) ??
    asText(fields.description) ??
    asText(fields.path) ??
    asText(fields.skill) ??
    asText(fields.subject)
  );
}

export function locationsOf(input: Json): readonly Location[] | undefined {
  const fields = asObject<ToolInput>(input);
  const path = asText(fields?.file_path) ?? asText(fields?.notebook_path) ?? asText(fields?.path);
  if (path === undefined) return undefined;
  const line = asNumber(fields?.offset);
  return [line === undefined ? { path } : { path, line }];
}
