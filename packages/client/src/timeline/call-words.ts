// A tool call in a line: what it is called, what it acts on, and how it went.

import type { CallFacts, CallStatus, TodoEntry } from '@tailrace/core';
import { fieldOf, numberField, shortJson, textField } from './fields.ts';

export type Tone = 'muted' | 'working' | 'waiting' | 'good' | 'bad';

export interface Word {
  readonly word: string;
  readonly tone: Tone;
}

const STATUS_WORDS: Readonly<Record<CallStatus, Word>> = {
  pending: { word: 'preparing', tone: 'working' },
  running: { word: 'running', tone: 'working' },
  waiting: { word: 'waiting for you', tone: 'waiting' },
  completed: { word: 'ok', tone: 'muted' },
  failed: { word: 'failed', tone: 'bad' },
  denied: { word: 'denied', tone: 'bad' },
  cancelled: { word: 'cancelled', tone: 'muted' },
  unknown: { word: 'no result', tone: 'muted' },
};

/** How a call went, in a word. */
export function statusWord({ status, exitCode, content }: Pick<CallFacts, 'status' | 'exitCode' | 'content'>): Word {
  // Some agents tell what came of a call, and not whether it went well.
  const hasResult = status === 'unknown' && content !== undefined && content.length > 0;
  const word = hasResult ? { word: 'ended', tone: 'muted' as const } : STATUS_WORDS[status];
  if (exitCode === undefined || exitCode === 0) return word;
  return status === 'failed' || status === 'completed' ? { word: `exit ${exitCode}`, tone: word.tone } : word;
}

/** The name of the tool; of a server's tool that of the server too. */
export function toolLabel({ name, mcp }: Pick<CallFacts, 'name' | 'mcp'>): string {
  return mcp ? `${mcp.server} · ${mcp.tool}` : name || 'a tool';
}

/** A path from the working directory, where it lies in it. */
export function shortPath(path: string, cwd: string | null): string {
  return cwd !== null && cwd !== '' && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

/** What a call acts on: whatever tells it apart from the others. */
export function targetOf(call: CallFacts, cwd: string | null): string {
  const { kind, input, title, locations, task, mcp, inputText, changes, todos } = call;
  if (task?.description !== undefined) return task.description;
  if (call.question) return call.question.message;
  const [place] = locations ?? [];
  switch (kind) {
    case 'execute': {
      const command = title ?? textField(input, 'command', 'cmd', 'code', 'script');
      if (command !== undefined) return command;
      break;
    }
    case 'read': {
      const path = place?.path ?? textField(input, 'file_path', 'path', 'filePath');
      if (path !== undefined) return `${shortPath(path, cwd)}${rangeOf(call)}`;
      break;
    }
    case 'edit':
    case 'delete':
    case 'move': {
      const [first, ...others] = changes ?? [];
      const path = first?.path ?? place?.path;
      if (path !== undefined) return `${shortPath(path, cwd)}${others.length > 0 ? ` and ${others.length} more` : ''}`;
      break;
    }
    case 'search':
      if (place && title === undefined) return shortPath(place.path, cwd);
      break;
    case 'fetch': {
      const address = textField(input, 'url', 'query');
      if (address !== undefined) return address;
      break;
    }
  }
  if (todos && todos.length > 0 && title === undefined) return todoTarget(todos);
  if (title !== undefined && title !== '' && !(mcp && title.toLowerCase() === mcp.tool.toLowerCase()))
    return shortPath(title, cwd);
  const told = textField(input, 'description', 'path', 'file_path', 'query', 'pattern', 'name', 'prompt');
  if (told !== undefined && !mcp) return shortPath(told, cwd);
  const isEmpty =
    input === undefined || (typeof input === 'object' && input !== null && Object.keys(input).length === 0);
  return isEmpty ? (inputText ?? '') : shortJson(input);
}

/** What it is at now, and how far it is. */
function todoTarget(todos: readonly TodoEntry[]): string {
  const done = todos.filter(({ status }) => status === 'completed').length;
  const current = todos.find(({ status }) => status === 'in_progress');
  return `${done} of ${todos.length} done${current ? `: ${current.content}` : ''}`;
}

/** ` (1–120)`, where only a part of a file was read. */
function rangeOf({ input, locations }: CallFacts): string {
  const range = fieldOf(input, 'view_range');
  const [from, to]: readonly unknown[] = Array.isArray(range) ? range : [];
  const start =
    numberField(input, 'offset', 'start_line', 'line_offset') ??
    (typeof from === 'number' ? from : locations?.[0]?.line);
  const count = numberField(input, 'limit', 'n_lines');
  const end =
    numberField(input, 'end_line') ??
    (typeof to === 'number' ? to : count === undefined ? undefined : Math.max(start ?? 1, 1) + count - 1);
  if (start === undefined && end === undefined) return '';
  return ` (${Math.max(start ?? 1, 1)}–${end === undefined || end < 0 ? '' : end})`;
}
