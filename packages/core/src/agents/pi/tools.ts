// pi's tools: what kind each is, what tells two calls of it apart, and what their results tell. Extensions bring more, under any name.

import type { AgentError, ErrorCode, FileChange, Location } from '../../event/event.ts';
import { asObject, asText, type Json } from '../../event/json.ts';
import { firstText, placeAt } from '../input.ts';
import { patchOf } from '../patch.ts';
import { type ToolTraits, traits, traitsIn } from '../tools.ts';
import type { PiDetails } from './wire.ts';

const toolTraits: Readonly<Record<string, ToolTraits>> = {
  read: traits('read'),
  ls: traits('read', 'list'),
  edit: traits('edit'),
  write: traits('edit'),
  grep: traits('search'),
  find: traits('search'),
  bash: traits('execute'),
  powershell: traits('execute'),
};

export const traitsOf = (toolName: string): ToolTraits => traitsIn(toolTraits, toolName);

interface ToolInput {
  path: string;
  command: string;
  pattern: string;
  content: string;
}

const TITLES: readonly string[] = ['command', 'pattern', 'path'];

/** What tells this call from others of the same tool. */
export function titleOf(input: Json): string | undefined {
  return firstText(input, TITLES);
}

export function locationsOf(input: Json): readonly Location[] | undefined {
  const path = asText(asObject<ToolInput>(input)?.path);
  return placeAt(path);
}

/** The file that a call which succeeded has changed. Whether `write` made it or wrote over it nobody tells. */
export function changeOf(toolName: string, input: Json, details: Json): FileChange | undefined {
  const fields = asObject<ToolInput>(input);
  const path = asText(fields?.path);
  if (path === undefined) return undefined;
  if (toolName === 'edit') {
    const { patch, diff } = asObject<PiDetails>(details) ?? {};
    return { path, operation: 'modify', ...patchOf(asText(patch) ?? asText(diff) ?? '') };
  }
  if (toolName !== 'write') return undefined;
  const newText = asText(fields?.content);
  return { path, operation: 'modify', ...(newText !== undefined && { newText }) };
}

/** The sentences with which pi tells that a call was not made, or not to its end. */
const REASONS: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^Tool \S{1,200} not found$/, 'tool_not_found'],
  [/^Validation failed for tool /, 'invalid_input'],
  [/^Tool call "[^"]{1,200}" was not executed: the response hit the output token limit/, 'invalid_input'],
  [/Command timed out after [\d.]{1,12} seconds\s*$/, 'timeout'],
];

/** Why a call failed. Nothing of a command that ran and failed: its output need not be a reason. */
export function failureOf(toolName: string, text: string): { exitCode?: number; error?: AgentError } {
  const exitCode = traitsOf(toolName).kind === 'execute' ? exitCodeIn(text) : undefined;
  if (exitCode !== undefined) return { exitCode };
  // Only the ends are looked at: an output may be long.
  const ends = text.length > 1_000 ? [text.slice(0, 500), text.slice(-500)] : [text];
  const code = REASONS.find(([pattern]) => ends.some((end) => pattern.test(end)))?.[1] ?? 'unknown';
  return text === '' ? {} : { error: { code, message: text } };
}

const FAILED = /Command exited with code (\d{1,10})\s*$/;

/** The exit code that the text of a failed command ends with. */
function exitCodeIn(text: string): number | undefined {
  const found = FAILED.exec(text.slice(-80));
  return found ? Number(found[1]) : undefined;
}
