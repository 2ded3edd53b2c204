// What the result of a call tells: how it went, what it shows, which files it changed.

import type { AgentError, ContentPart, FileChange, Outcome, TodoEntry } from '../../event/event.ts';
import { asCount, asList, asObject, asText, type Json, type Loose } from '../../event/json.ts';
import { textParts } from '../content.ts';
import { patchOf } from '../patch.ts';
import type { Attachment, PatchedFile, ToolMetadata, ToolState } from './wire.ts';

export interface Verdict {
  readonly outcome: Outcome;
  readonly error?: AgentError | undefined;
  readonly exitCode?: number | undefined;
  /** Who refused the call. */
  readonly refusedBy?: 'user' | 'policy' | 'unknown' | undefined;
}

/** A refusal is told only by these sentences. Nobody is asked in a run without a terminal, so the first need not be a person's. */
const REFUSALS: readonly (readonly [string, NonNullable<Verdict['refusedBy']>])[] = [
  ['The user rejected permission to use this specific tool call with the following feedback', 'user'],
  ['The user rejected permission to use this specific tool call', 'unknown'],
  ['The user has specified a rule which prevents you', 'policy'],
];
const STOPPED: ReadonlySet<string> = new Set([
  'Tool execution aborted',
  'Task cancelled',
  'The user dismissed this question',
]);
const NO_TOOL = 'Model tried to call unavailable tool';

export function verdictOf(toolName: string, state: Loose<ToolState>): Verdict {
  const metadata = asObject<ToolMetadata>(state.metadata);
  // A call that could not be made is a completed call of the tool that says so.
  if (toolName === 'invalid') {
    const message = asText(asObject<{ error: string }>(state.input)?.error) ?? asText(state.output) ?? '';
    return {
      outcome: 'error',
      error: { code: message.startsWith(NO_TOOL) ? 'tool_not_found' : 'invalid_input', message },
    };
  }
  if (state.status === 'error') return failureOf(asText(state.error) ?? '', metadata?.interrupted === true);
  const exitCode = asCount(metadata?.exit);
  if (state.status !== 'completed') return { outcome: 'unknown', exitCode };
  return { outcome: exitCode ? 'error' : 'success', exitCode };
}

function failureOf(message: string, isInterrupted: boolean): Verdict {
  const refusedBy = REFUSALS.find(([sentence]) => message.startsWith(sentence))?.[1];
  if (refusedBy) return { outcome: 'denied', error: { code: 'denied', message }, refusedBy };
  // OpenCode calls it an error too; the code says which.
  if (isInterrupted || STOPPED.has(message)) return { outcome: 'error', error: { code: 'cancelled', message } };
  return { outcome: 'error', error: { code: 'unknown', message } };
}

/** What a call shows: its output or its error, and the files that came with it. */
export function contentOf(state: Loose<ToolState>): readonly ContentPart[] {
  const text = asText(state.output) ?? asText(state.error);
  return [...textParts(text), ...asList(state.attachments).flatMap(attachmentParts)];
}

function attachmentParts(value: Json): readonly ContentPart[] {
  const attachment = asObject<Attachment>(value);
  const uri = asText(attachment?.url);
  if (uri === undefined) return [];
  const mediaType = asText(attachment?.mime);
  const title = asText(attachment?.filename);
  const data = uri.startsWith('data:') ? uri.slice(uri.indexOf(',') + 1) : undefined;
  if (mediaType?.startsWith('image/'))
    return [{ type: 'image', mediaType, ...(data === undefined ? { uri } : { data }) }];
  return [
    { type: 'resource', uri, ...(mediaType !== undefined && { mediaType }), ...(title !== undefined && { title }) },
  ];
}

/** The files that a call which went well has changed. */
export function changesOf(toolName: string, state: Loose<ToolState>): readonly FileChange[] {
  const metadata = asObject<ToolMetadata>(state.metadata);
  const files = asList(metadata?.files);
  if (files.length > 0) return files.flatMap(patchedFile);
  const diff = asObject<ToolMetadata['filediff']>(metadata?.filediff);
  const path = asText(diff?.file) ?? (toolName === 'write' ? asText(metadata?.filepath) : undefined);
  if (path === undefined) return [];
  if (diff) return [{ path, operation: 'modify', ...patchIn(diff) }];
  const newText = asText(asObject<{ content: string }>(state.input)?.content);
  const isNew = metadata?.exists === false;
  return [
    {
      path,
      operation: isNew ? 'add' : 'modify',
      ...(isNew && { oldText: null }),
      ...(newText !== undefined && { newText }),
    },
  ];
}

const OPERATIONS: ReadonlyMap<Json, FileChange['operation']> = new Map([
  ['add', 'add'],
  ['delete', 'delete'],
  ['move', 'move'],
]);

function patchedFile(value: Json): readonly FileChange[] {
  const file = asObject<PatchedFile>(value);
  const filePath = asText(file?.filePath);
  if (!file || filePath === undefined) return [];
  const movePath = asText(file.movePath);
  const operation = OPERATIONS.get(file.type) ?? 'modify';
  const path = movePath ?? filePath;
  return [{ path, operation, ...(movePath !== undefined && { fromPath: filePath }), ...patchIn(file) }];
}

function patchIn(diff: Loose<{ patch: string; additions: number; deletions: number }>): Partial<FileChange> {
  const known = patchOf(asText(diff.patch) ?? '');
  const linesAdded = asCount(diff.additions);
  const linesRemoved = asCount(diff.deletions);
  return {
    ...known,
    ...(linesAdded !== undefined && { linesAdded }),
    ...(linesRemoved !== undefined && { linesRemoved }),
  };
}

const STATUSES: ReadonlySet<string> = new Set<TodoEntry['status']>([
  'pending',
  'in_progress',
  'completed',
  'cancelled',
]);
const PRIORITIES: ReadonlySet<string> = new Set<NonNullable<TodoEntry['priority']>>(['high', 'medium', 'low']);

/** The whole list after a call of todowrite. */
export function todosOf(state: Loose<ToolState>): readonly TodoEntry[] | undefined {
  const todos = asObject<ToolMetadata>(state.metadata)?.todos ?? asObject<ToolMetadata>(state.input)?.todos;
  if (!Array.isArray(todos)) return undefined;
  return asList(todos).flatMap((value) => {
    const todo = asObject<ToolMetadata['todos'][number]>(value);
    const content = asText(todo?.content);
    if (content === undefined) return [];
    const status = oneOf<TodoEntry['status']>(STATUSES, todo?.status) ?? 'pending';
    const priority = oneOf<NonNullable<TodoEntry['priority']>>(PRIORITIES, todo?.priority);
    return [{ content, status, ...(priority !== undefined && { priority }) }];
  });
}

function oneOf<T extends string>(words: ReadonlySet<string>, word: Json): T | undefined {
  // Each set holds the words of its type and no others.
  return typeof word === 'string' && words.has(word) ? (word as T) : undefined;
}

const RESULT_START = '<task_result>';
const RESULT_END = '</task_result>';

/** What a sub-agent answered, without the marks around it. */
export function taskResult(output: Json): string | undefined {
  const text = asText(output);
  if (text === undefined) return undefined;
  const start = text.indexOf(RESULT_START);
  const end = text.lastIndexOf(RESULT_END);
  return start < 0 || end < start ? text : text.slice(start + RESULT_START.length, end).trim();
}
