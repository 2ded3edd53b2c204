// goose's tools. All come from extensions; the built-in ones have names of their own, any other is a server's.

import type { FileChange, Location, McpTool } from '../../event/event.ts';
import { asObject, asText, type Json } from '../../event/json.ts';
import { firstText, placeAt } from '../input.ts';
import { MCP_TOOL, OTHER_TOOL, type ToolTraits, traits, traitsIn } from '../tools.ts';

const toolTraits: Readonly<Record<string, ToolTraits>> = {
  // developer
  shell: traits('execute'),
  write: traits('edit'),
  edit: traits('edit'),
  text_editor: traits('edit'),
  tree: traits('read', 'list'),
  analyze: traits('read'),
  read_image: traits('read', 'image'),
  image_processor: traits('read', 'image'),
  screen_capture: traits('other', 'image'),
  // todo
  todo_read: traits('think', 'todo'),
  todo_write: traits('think', 'todo'),
  // summon, skills
  delegate: traits('think', 'subagent'),
  load: traits('other', 'skill'),
  load_skill: traits('other', 'skill'),
  // extensionmanager, chatrecall, code execution
  search_available_extensions: traits('search', 'tool_search'),
  manage_extensions: traits('other'),
  list_resources: traits('read', 'list'),
  read_resource: traits('read'),
  chatrecall: traits('search', 'memory'),
  execute: traits('execute'),
  execute_code: traits('execute'),
  list_functions: traits('search', 'tool_search'),
  // memory
  remember_memory: traits('think', 'memory'),
  retrieve_memories: traits('think', 'memory'),
  remove_memory_category: traits('think', 'memory'),
  remove_specific_memory: traits('think', 'memory'),
  // computercontroller
  web_scrape: traits('fetch'),
  automation_script: traits('execute'),
  computer_control: traits('execute'),
  platform__manage_schedule: traits('other', 'schedule'),
};

const BUILT_IN: ReadonlySet<string> = new Set([
  'analyze',
  'apps',
  'autovisualiser',
  'chatrecall',
  'code_execution',
  'computercontroller',
  'developer',
  'extensionmanager',
  'memory',
  'platform',
  'recipe',
  'skills',
  'summon',
  'todo',
  'tutorial',
]);

export interface Tool {
  readonly traits: ToolTraits;
  readonly mcp?: McpTool;
}

/** What a name stands for. The extension is told beside it, or stands before it: `extension__tool`. */
export function toolOf(name: string, toldExtension: string | undefined): Tool {
  const border = name.indexOf('__');
  const extension = border > 0 ? name.slice(0, border) : toldExtension;
  const tool = border > 0 ? name.slice(border + 2) : name;
  if (extension !== undefined && !BUILT_IN.has(extension)) {
    return { traits: MCP_TOOL, mcp: { server: extension, tool } };
  }
  const known = traitsIn(toolTraits, name);
  return { traits: known === OTHER_TOOL ? traitsIn(toolTraits, tool) : known };
}

interface ToolInput {
  path: string;
  command: string;
  content: string;
  instructions: string;
  source: string;
  name: string;
  extension_name: string;
}

const TITLES: readonly string[] = ['command', 'path', 'instructions', 'source', 'extension_name', 'name'];

/** What tells this call from others of the same tool. */
export function titleOf(input: Json): string | undefined {
  return firstText(input, TITLES);
}

export function locationsOf(input: Json): readonly Location[] | undefined {
  const path = asText(asObject<ToolInput>(input)?.path);
  return placeAt(path);
}

/** The file that a call which succeeded has changed; `answer` is what it said. */
export function changeOf(toolName: string, input: Json, answer: string): FileChange | undefined {
  const fields = asObject<ToolInput>(input);
  const path = asText(fields?.path);
  if (path === undefined) return undefined;
  if (toolName === 'edit') return { path, operation: 'modify' };
  if (toolName !== 'write') return undefined;
  const newText = asText(fields?.content);
  const operation = answer.startsWith('Created') ? 'add' : 'modify';
  return { path, operation, ...(newText !== undefined && { newText }) };
}
