// What the result of a call tells: how it went, what it shows, which files it changed.

import type { AgentError, ContentPart, ErrorCode, FileChange, Outcome } from '../../event/event.ts';
import { asList, asNumber, asObject, asText, entryOf, type Json, type Loose } from '../../event/json.ts';
import { partsOf, textParts } from '../content.ts';
import { patchOf } from '../patch.ts';
import { newTextOf } from './tools.ts';
import type { Data, ToolError, ToolResult } from './wire.ts';

export interface Verdict {
  readonly outcome: Outcome;
  readonly error?: AgentError | undefined;
  readonly exitCode?: number | undefined;
  readonly nativeStatus?: string | undefined;
}

const ERROR_CODES: Readonly<Record<string, ErrorCode>> = { denied: 'denied', rejected: 'denied', timeout: 'timeout' };

export function verdictOf(data: Loose<Data>): Verdict {
  const exitCode = exitCodeOf(data);
  if (data.success === true) return { outcome: exitCode ? 'error' : 'success', exitCode, nativeStatus: 'success' };
  if (data.success !== false) return { outcome: 'unknown', exitCode };
  const told = asObject<ToolError>(data.error);
  const nativeCode = asText(told?.code);
  const message = asText(told?.message) ?? '';
  const code = entryOf(ERROR_CODES, nativeCode) ?? (isMissingTool(message) ? 'tool_not_found' : 'unknown');
  return {
    outcome: code === 'denied' ? 'denied' : 'error',
    error: { code, message, ...(nativeCode !== undefined && { nativeCode }) },
    exitCode,
    nativeStatus: nativeCode,
  };
}

function isMissingTool(message: string): boolean {
  return message.startsWith("Tool '") && message.endsWith('does not exist.');
}

function exitCodeOf(data: Loose<Data>): number | undefined {
  const told = asNumber(asObject<Data['shellExecution']>(data.shellExecution)?.exitCode);
  if (told !== undefined) return told;
  const { contents } = asObject<ToolResult>(data.result) ?? {};
  for (const value of asList(contents)) {
    const exitCode = asNumber(asObject<ToolResult['contents'][number]>(value)?.exitCode);
    if (exitCode !== undefined) return exitCode;
  }
  return undefined;
}

/** Parts that `content` says as text. */
const TEXTS: ReadonlySet<Json> = new Set(['text', 'terminal', 'shell_exit']);

export function contentOf(data: Loose<Data>): readonly ContentPart[] {
  const result = asObject<ToolResult>(data.result);
  const text = asText(result?.content) ?? asText(asObject<ToolError>(data.error)?.message);
  const shown = asList(result?.contents).filter((part) => !TEXTS.has(asObject<{ type: string }>(part)?.type));
  return [...textParts(text), ...partsOf(shown.length > 0 ? shown : asList(result?.binaryResultsForLlm))];
}

export function structuredOf(data: Loose<Data>): Json {
  return asObject<ToolResult>(data.result)?.structuredContent;
}

const OPERATIONS: Readonly<Record<string, FileChange['operation']>> = {
  create: 'add',
  delete: 'delete',
  move: 'move',
  rename: 'move',
};

/** The files that a call changed, each with its diff where one is shown. */
export function changesOf(data: Loose<Data>, input: Json): readonly FileChange[] {
  const edits = asList(data.fileEdits);
  if (edits.length === 0) return [];
  const diffs = diffsOf(asText(asObject<ToolResult>(data.result)?.detailedContent) ?? '');
  const newText = edits.length === 1 ? newTextOf(input) : undefined;
  return edits.flatMap((value) => {
    const edit = asObject<Data['fileEdits'][number]>(value);
    const path = asText(edit?.path);
    if (path === undefined) return [];
    const operation = entryOf(OPERATIONS, edit?.kind) ?? 'modify';
    const isNew = operation === 'add' && newText !== undefined;
    return [{ path, operation, ...(isNew && { oldText: null, newText }), ...diffs.get(path) }];
  });
}

const SECTION = '\ndiff --git ';
const SIDES = ['+++ b', '--- a'];

/** Diffs by the whole path of their file, which stands right behind the mark of its side. */
function diffsOf(text: string): ReadonlyMap<string, ReturnType<typeof patchOf>> {
  const diffs = new Map<string, ReturnType<typeof patchOf>>();
  for (const section of `\n${text}`.split(SECTION).slice(1)) {
    const patch = patchOf(withoutBlankEnd(section));
    const head = section.slice(0, section.indexOf('\n@@')).split('\n');
    for (const side of SIDES) {
      const path = head.find((row) => row.startsWith(side))?.slice(side.length);
      if (path !== undefined && path !== '/dev/null') diffs.set(path, patch);
    }
  }
  return diffs;
}

function withoutBlankEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end--;
  return text.slice(0, end);
}
