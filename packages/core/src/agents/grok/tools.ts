// Grok's tools, in both formats: what kind each is, what tells two calls of it apart, and what it gives to programs.

import type { AgentError, ContentPart, Location, McpTool, ToolKind } from '../../event/event.ts';
import { asNumber, asObject, asText, entryOf, type Json, type Loose } from '../../event/json.ts';
import { textParts } from '../content.ts';
import { firstText, placeAt } from '../input.ts';
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

/** The server's tool that `use_tool` stands for: `server__tool`. */
export function mcpTool(toolName: string, input: Json): McpTool | undefined {
  const name = toolName === 'use_tool' ? asText(asObject<ToolInput>(input)?.tool_name) : undefined;
  const border = name?.indexOf('__') ?? -1;
  return name === undefined || border < 0 ? undefined : { server: name.slice(0, border), tool: name.slice(border + 2) };
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

const TITLES: readonly string[] = [
  'command',
  'pattern',
  'query',
  'url',
  'tool_name',
  'target_file',
  'file_path',
  'target_directory',
  'path',
  'description',
];

/** What tells this call from others of the same tool. */
export function titleOf(input: Json): string | undefined {
  return firstText(input, TITLES);
}

export function locationsOf(input: Json): readonly Location[] | undefined {
  const path = pathIn(input);
  return placeAt(path);
}

const PATHS: readonly string[] = ['target_file', 'file_path', 'target_directory', 'path'];

/** The file or folder that a call is about. */
export function pathIn(input: Json): string | undefined {
  return firstText(input, PATHS);
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
  const bytes = Array.isArray(told.output) ? told.output : undefined;
  const text = bytes ? textOfBytes(bytes) : (asText(told.output) ?? mcpText(told.output));
  return {
    exitCode: asNumber(told.exit_code),
    content: textParts(text ?? wordsIn(told)),
    value: bytes ? { ...told, output: text } : told,
  };
}

/** What an MCP tool gave, and what it says when it failed. */
function mcpText(output: Json): string | undefined {
  const told = asObject<{ OkayOutput: string; Error: string }>(output);
  return asText(told?.OkayOutput) ?? asText(told?.Error);
}

/** The file was not there before. */
export function isCreation(output: Loose<GrokOutput> | undefined): boolean {
  const edits = asObject<GrokOutput['EditsApplied']>(output?.EditsApplied);
  return asText(edits?.tool_output_for_prompt)?.endsWith(' has been created.') === true;
}

export const isSpawn = (toolName: Json): boolean => toolName === 'spawn_subagent' || toolName === 'task';

const SENT_OFF = /^Subagent started in background\.\nsubagent_id: (\S{1,80})/;

/** The name of a sub-agent that goes on by itself, from the result of the call that started it. */
export function nameOfSentOff(output: Loose<GrokOutput> | undefined): string | undefined {
  if (output?.type === 'BackgroundTaskStarted') return asText(output.task_id) ?? '';
  return SENT_OFF.exec(asText(output?.text)?.slice(0, 200) ?? '')?.[1];
}

export interface Refusal {
  readonly error: AgentError;
  readonly by: 'policy' | 'unknown';
}

/** Who refused a failed call, if its result says that somebody did. Nobody is there to be asked, which Grok takes for a no. */
export function refusalIn(text: string): Refusal | undefined {
  const beginning = text.slice(0, 400);
  const isByRule = /^Tool `[^`]{1,200}` was not executed: Denied by /.test(beginning);
  if (!isByRule && !beginning.startsWith('User cancelled the execution for tool `')) return undefined;
  return { error: { code: 'denied', message: text }, by: isByRule ? 'policy' : 'unknown' };
}

function textOfBytes(bytes: readonly Json[]): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => asNumber(byte) ?? 0));
}

interface Told {
  content: string;
  message: string;
  tool_output_for_prompt: string;
  summary_for_prompt: string;
}

/** The text of the one thing that says how it went: a sentence, or an object with one. */
function wordsIn(output: object): string | undefined {
  for (const [key, value] of Object.entries(output)) {
    if (key === 'type') continue;
    if (typeof value === 'string' && /^[A-Z]/.test(key)) return value;
    const told = asObject<Told>(value);
    const text =
      asText(told?.content) ??
      asText(told?.tool_output_for_prompt) ??
      asText(told?.summary_for_prompt) ??
      asText(told?.message);
    if (text !== undefined) return text;
  }
  // So it is when a tool could not even begin.
  return 'error' in output ? asText((output as Loose<Told>).message) : undefined;
}
