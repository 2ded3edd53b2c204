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

/** The files that a call changed, each with its diff where one is shown. One that was moved is made and deleted in one diff. */
export function changesOf(data: Loose<Data>, input: Json): readonly FileChange[] {
  const edits = asList(data.fileEdits).flatMap((value) => asObject<Data['fileEdits'][number]>(value) ?? []);
  if (edits.length === 0) return [];
  const diffs = diffsOf(asText(asObject<ToolResult>(data.result)?.detailedContent) ?? '');
  const paths = new Set(edits.map((edit) => asText(edit.path)));
  const newText = edits.length === 1 ? newTextOf(input) : undefined;
  return edits.flatMap((edit): readonly FileChange[] => {
    const path = asText(edit.path);
    if (path === undefined) return [];
    const { from, to, patch } = diffs.get(path) ?? {};
    if (from !== undefined && to !== undefined && from !== to && paths.has(from) && paths.has(to))
      return path === to ? [{ path, operation: 'move', fromPath: from, ...patch }] : [];
    const operation = entryOf(OPERATIONS, edit.kind) ?? 'modify';
    const isNew = operation === 'add' && newText !== undefined;
    return [{ path, operation, ...(isNew && { oldText: null, newText }), ...patch }];
  });
}

interface Diff {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly patch?: ReturnType<typeof patchOf>;
}

const SECTION = '\ndiff --git ';

/** Diffs by the whole paths of their files, which stand right behind the marks of their sides. */
function diffsOf(text: string): ReadonlyMap<string, Diff> {
  const diffs = new Map<string, Diff>();
  for (const section of `\n${text}`.split(SECTION).slice(1)) {
    const head = section.slice(0, section.indexOf('\n@@')).split('\n');
    const from = pathBehind('--- a', head);
    const to = pathBehind('+++ b', head);
    const diff = { from, to, patch: patchOf(withoutBlankEnd(section)) };
    for (const path of [from, to]) if (path !== undefined) diffs.set(path, diff);
  }
  return diffs;
}

function pathBehind(mark: string, head: readonly string[]): string | undefined {
  const path = head.find((row) => row.startsWith(mark))?.slice(mark.length);
  return path === '/dev/null' ? undefined : path;
}

function withoutBlankEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end--;
  return text.slice(0, end);
}
