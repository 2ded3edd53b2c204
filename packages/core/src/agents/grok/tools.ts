// Grok's tools, in both formats: what kind each is, what tells two calls of it apart, and what it gives to programs.

import type { ContentPart, Location, ToolKind } from '../../event/event.ts';
import { asNumber, asObject, asText, entryOf, type Json } from '../../event/json.ts';
import { textParts } from '../content.ts';
import { OTHER_TOOL, type ToolTraits, traits } from '../tools.ts';
import type { GrokOutput } from './wire.ts';

const toolTraits: Readonly<Record<string, ToolTraits>> = {
  read_file: traits('read'),
  hashline_read: traits('read'),
  list_dir: traits('read', 'list'),
  get_command_or_subagent_output: traits('read', 'background'),
  wait_commands_or_subagents: traits('read', 'background'),
  get_task_output: traits('read', 'background'),
  write: traits('edit'),
  search_replace: traits('edit'),
  hashline_edit: traits('edit'),
  apply_patch: traits('edit', 'patch'),
  grep: traits('search'),
  grep_search: traits('search'),
  hashline_grep: traits('search'),
  lsp: traits('search'),
  search_tool: traits('search', 'tool_search'),
  run_terminal_command: traits('execute'),
  run_terminal_cmd: traits('execute'),
  bash: traits('execute'),
  code_interpreter: traits('execute'),
  kill_command_or_subagent: traits('execute', 'background'),
  kill_task: traits('execute', 'background'),
  monitor: traits('execute', 'background'),
  web_fetch: traits('fetch'),
  web_search: traits('fetch', 'web_search'),
  x_search: traits('fetch', 'web_search'),
  todo_write: traits('think', 'todo'),
  update_goal: traits('think'),
  spawn_subagent: traits('think', 'subagent'),
  send_subagent_message: traits('think', 'subagent'),
  task: traits('think', 'subagent'),
  memory_search: traits('think', 'memory'),
  memory_get: traits('think', 'memory'),
  enter_plan_mode: traits('switch_mode'),
  exit_plan_mode: traits('switch_mode'),
  ask_user_question: traits('other', 'question'),
  skill: traits('other', 'skill'),
  scheduler_create: traits('other', 'schedule'),
  scheduler_list: traits('other', 'schedule'),
  scheduler_delete: traits('other', 'schedule'),
  image_gen: traits('other', 'image'),
  image_edit: traits('other', 'image'),
  image_to_video: traits('other', 'image'),
  reference_to_video: traits('other', 'image'),
  use_tool: traits('other', 'mcp'),
};

/** ACP's kinds, and those that only Grok has. */
const kindTraits: Readonly<Record<string, ToolTraits>> = {
  ...Object.fromEntries(
    (['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode'] satisfies ToolKind[]).map(
      (kind) => [kind, traits(kind)],
    ),
  ),
  list: traits('read', 'list'),
  plan: traits('think', 'todo'),
};

/** A tool that nobody knows by name is of the kind that Grok says it is. */
export function traitsOf(toolName: string, kind?: Json): ToolTraits {
  return entryOf(toolTraits, toolName) ?? entryOf(kindTraits, kind) ?? OTHER_TOOL;
}

interface ToolInput {
  target_file: string;
  target_directory: string;
  file_path: string;
  path: string;
  command: string;
  pattern: string;
  query: string;
  url: string;
  tool_name: string;
  description: string;
}

/** What tells this call from others of the same tool. */
export function titleOf(input: Json): string | undefined {
  const fields = asObject<ToolInput>(input);
  return (
    asText(fields?.command) ??
    asText(fields?.pattern) ??
    asText(fields?.query) ??
    asText(fields?.url) ??
    asText(fields?.tool_name) ??
    pathIn(input) ??
    asText(fields?.description)
  );
}

export function locationsOf(input: Json): readonly Location[] | undefined {
  const path = pathIn(input);
  return path === undefined ? undefined : [{ path }];
}

/** The file or folder that a call is about. */
export function pathIn(input: Json): string | undefined {
  const fields = asObject<ToolInput>(input);
  return (
    asText(fields?.target_file) ?? asText(fields?.file_path) ?? asText(fields?.target_directory) ?? asText(fields?.path)
  );
}

export interface Output {
  readonly exitCode: number | undefined;
  /** What a person reads of it. */
  readonly content: readonly ContentPart[];
  /** The same for programs, with text where there were bytes. */
  readonly value: Json;
}

/** What a tool gave to programs. A command's output is a list of byte values there. */
export function readOutput(output: Json): Output {
  const told = asObject<GrokOutput>(output);
  if (!told) return { exitCode: undefined, content: textParts(asText(output)), value: output ?? undefined };
  const text = Array.isArray(told.output) ? textOfBytes(told.output) : asText(told.output);
  return {
    exitCode: asNumber(told.exit_code),
    content: textParts(text ?? firstText(told)),
    value: Array.isArray(told.output) ? { ...told, output: text } : told,
  };
}

function textOfBytes(bytes: readonly Json[]): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => asNumber(byte) ?? 0));
}

interface Told {
  content: string;
  tool_output_for_prompt: string;
  summary_for_prompt: string;
}

/** The text of the one thing that says how it went: a sentence, or an object with one. */
function firstText(output: object): string | undefined {
  for (const [key, value] of Object.entries(output)) {
    if (key === 'type') continue;
    if (typeof value === 'string' && /^[A-Z]/.test(key)) return value;
    const told = asObject<Told>(value);
    const text = asText(told?.content) ?? asText(told?.tool_output_for_prompt) ?? asText(told?.summary_for_prompt);
    if (text !== undefined) return text;
  }
  return undefined;
}
