// Kimi's tools: what kind each is, what tells two calls of it apart, and what its results and inputs tell.

import type { Location, TodoEntry } from '../../event/event.ts';
import { asList, asObject, asText, type Json } from '../../event/json.ts';
import { firstText, placeAt } from '../input.ts';
import { isMcpName } from '../mcp.ts';
import { MCP_TOOL, type ToolTraits, traits, traitsIn } from '../tools.ts';

const toolTraits: Readonly<Record<string, ToolTraits>> = {
  Read: traits('read'),
  ReadMediaFile: traits('read', 'image'),
  TaskList: traits('read', 'background'),
  TaskOutput: traits('read', 'background'),
  WaitFor: traits('read', 'background'),
  Write: traits('edit'),
  Edit: traits('edit'),
  Glob: traits('search'),
  Grep: traits('search'),
  Bash: traits('execute'),
  TaskStop: traits('execute', 'background'),
  FetchURL: traits('fetch'),
  WebSearch: traits('fetch', 'web_search'),
  select_tools: traits('search', 'tool_search'),
  TodoList: traits('think', 'todo'),
  Agent: traits('think', 'subagent'),
  AgentSwarm: traits('think', 'subagent'),
  TowerSpawn: traits('think', 'subagent'),
  CreateGoal: traits('think'),
  GetGoal: traits('think'),
  SetGoalBudget: traits('think'),
  UpdateGoal: traits('think'),
  EnterPlanMode: traits('switch_mode'),
  ExitPlanMode: traits('switch_mode'),
  AskUserQuestion: traits('other', 'question'),
  Skill: traits('other', 'skill'),
  CronCreate: traits('other', 'schedule'),
  CronList: traits('other', 'schedule'),
  CronDelete: traits('other', 'schedule'),
};

export function traitsOf(toolName: string): ToolTraits {
  return isMcpName(toolName) ? MCP_TOOL : traitsIn(toolTraits, toolName);
}

interface ToolInput {
  path: string;
  command: string;
  pattern: string;
  url: string;
  query: string;
  description: string;
  todos: { title: string; content: string; status: string }[];
}

const TITLES: readonly string[] = ['path', 'command', 'pattern', 'url', 'query', 'description'];

/** What tells this call from others of the same tool. */
export function titleOf(input: Json): string | undefined {
  return firstText(input, TITLES);
}

export function locationsOf(input: Json): readonly Location[] | undefined {
  const path = asText(asObject<ToolInput>(input)?.path);
  return placeAt(path);
}

/** The list that a call of TodoList puts in place; nothing when it only asks for it. */
export function todosOf(input: Json): readonly TodoEntry[] | undefined {
  const todos = asObject<ToolInput>(input)?.todos;
  if (!Array.isArray(todos)) return undefined;
  return asList(todos).flatMap((value) => {
    const todo = asObject<ToolInput['todos'][number]>(value);
    const content = asText(todo?.title) ?? asText(todo?.content);
    return content === undefined ? [] : [{ content, status: statusOf(todo?.status) }];
  });
}

function statusOf(word: Json): TodoEntry['status'] {
  if (word === 'done' || word === 'completed') return 'completed';
  return word === 'in_progress' || word === 'cancelled' ? word : 'pending';
}
