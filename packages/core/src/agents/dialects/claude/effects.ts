// What calls do beyond their result: files change, todo lists change, plans are put forward.

import type { FileChange, TodoEntry } from '../../../event/event.ts';
import { asList, asNumber, asObject, asText, type Json, type Loose } from '../../../event/json.ts';
import type { Call, State } from './state.ts';
import type { PatchHunk, ToolInput, ToolOutput, WireTodo } from './wire.ts';

/** The whole input of a call is known. */
export function inputTold(state: State, call: Call): void {
  if (state.speaker.effectOf(call.name) !== 'plan') return;
  const text = asText(asObject<ToolInput>(call.input)?.plan);
  if (text !== undefined) state.out.write({ type: 'plan-update', text, toolCallId: call.id });
}

/** A call has succeeded. */
export function resultTold(
  state: State,
  call: Call,
  output: Json,
  resultText: string,
  todos: readonly Json[] | undefined,
): void {
  const input = asObject<ToolInput>(call.input) ?? {};
  const fields = asObject<ToolOutput>(output);
  const effect = state.speaker.effectOf(call.name);
  switch (effect) {
    case 'write':
    case 'edit': {
      const change = changeOf(effect, input, fields, resultText);
      if (change) state.out.write({ type: 'file-change', toolCallId: call.id, changes: [change], outcome: 'success' });
      break;
    }
    case 'replace_todos':
      replaceTodos(state, call, todos ?? asList(fields?.newTodos ?? input.todos));
      break;
    case 'add_todo':
      putTodo(state, call, fields?.task);
      break;
    case 'change_todo':
      updateTodo(state, call, fields, input);
      break;
    case 'plan': {
      const text = asText(fields?.plan);
      const path = asText(fields?.filePath);
      if (text !== undefined || path !== undefined) {
        state.out.write({ type: 'plan-update', text, path, toolCallId: call.id });
      }
      break;
    }
  }
}

// ── Files ─────────────────────────────────────────────────────────────────────────────────────────

/** Inside a sub-agent there is no structured output: then the input and the result's text tell what they can. */
function changeOf(
  effect: 'write' | 'edit',
  input: Loose<ToolInput>,
  output: Loose<ToolOutput> | undefined,
  resultText: string,
): FileChange | undefined {
  const path =
    asText(output?.filePath) ?? asText(output?.notebook_path) ?? asText(input.file_path) ?? asText(input.notebook_path);
  if (path === undefined) return undefined;
  const isNew = output ? output.type === 'create' : effect === 'write' && isCreation(resultText);
  const patch = output ? patchOf(output.structuredPatch) : undefined;
  const oldText =
    output?.originalFile === null ? null : (asText(output?.originalFile) ?? asText(output?.original_file));
  const newText =
    asText(output?.updated_file) ??
    (effect === 'write' ? (asText(output?.content) ?? asText(input.content)) : undefined);
  const change: { -readonly [K in keyof FileChange]: FileChange[K] } = { path, operation: isNew ? 'add' : 'modify' };
  if (oldText !== undefined) change.oldText = oldText;
  if (newText !== undefined) change.newText = newText;
  if (patch) {
    change.patch = patch.text;
    change.linesAdded = patch.added;
    change.linesRemoved = patch.removed;
  }
  return change;
}

/** What the tools say of a file that was not there before. */
function isCreation(resultText: string): boolean {
  return resultText.startsWith('File created') || resultText.startsWith('Successfully created');
}

const PLUS = 0x2b;
const MINUS = 0x2d;

/** The hunks in unified form. A created file has none: its whole text is the change. */
function patchOf(value: Json): { text: string; added: number; removed: number } | undefined {
  const hunks = asList(value).flatMap((hunk) => asObject<PatchHunk>(hunk) ?? []);
  if (hunks.length === 0) return undefined;
  let added = 0;
  let removed = 0;
  const rows: string[] = [];
  for (const hunk of hunks) {
    const count = (value: Json): number => asNumber(value) ?? 0;
    rows.push(
      `@@ -${count(hunk.oldStart)},${count(hunk.oldLines)} +${count(hunk.newStart)},${count(hunk.newLines)} @@`,
    );
    for (const line of asList(hunk.lines)) {
      if (typeof line !== 'string') continue;
      const mark = line.charCodeAt(0);
      if (mark === PLUS) added++;
      else if (mark === MINUS) removed++;
      rows.push(line);
    }
  }
  return { text: rows.join('\n'), added, removed };
}

// ── Todos: one tool that writes the whole list, and a family that works on single entries ─────────

/** A sub-agent's list is its own affair: the list that is shown is the main thread's. */
function writeTodos(state: State, call: Call): void {
  if (call.thread !== state.main) return;
  state.out.write({ type: 'todo-update', entries: [...state.todos.values()], toolCallId: call.id });
}

function replaceTodos(state: State, call: Call, list: readonly Json[]): void {
  if (call.thread !== state.main) return;
  state.todos.clear();
  list.forEach((value, index) => {
    const entry = entryOf(asObject<WireTodo>(value));
    if (entry) state.todos.set(entry.id ?? `${index}`, entry);
  });
  writeTodos(state, call);
}

function putTodo(state: State, call: Call, value: Json): void {
  const entry = entryOf(asObject<WireTodo>(value));
  if (!entry || call.thread !== state.main) return;
  state.todos.set(entry.id ?? entry.content, entry);
  writeTodos(state, call);
}

function updateTodo(state: State, call: Call, output: Loose<ToolOutput> | undefined, input: Loose<ToolInput>): void {
  const id = asText(output?.taskId) ?? asText(input.taskId);
  const entry = id === undefined ? undefined : state.todos.get(id);
  if (id === undefined || !entry || call.thread !== state.main) return;
  const status = asText(asObject<{ to: string }>(output?.statusChange)?.to);
  if (status === 'deleted') state.todos.delete(id);
  else {
    const content = asText(input.subject) ?? entry.content;
    state.todos.set(id, { ...entry, content, status: status === undefined ? entry.status : statusOf(status) });
  }
  writeTodos(state, call);
}

function entryOf(todo: Loose<WireTodo> | undefined): TodoEntry | undefined {
  const content = asText(todo?.content) ?? asText(todo?.subject);
  if (!todo || content === undefined) return undefined;
  const id = asText(todo.id);
  return { ...(id !== undefined && { id }), content, status: statusOf(asText(todo.status) ?? 'pending') };
}

function statusOf(word: string): TodoEntry['status'] {
  return word === 'in_progress' || word === 'completed' || word === 'cancelled' ? word : 'pending';
}
