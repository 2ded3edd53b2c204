// Sub-agents and commands that go on by themselves: `task_*` lines, and the lines a sub-agent prints.
// The lines may come in any order (a task can start before the line of its call), so whoever is named first makes the task.

import type { Outcome, TaskKind } from '../../../event/event.ts';
import { asCount, asList, asNumber, asObject, asText, type Json, type Loose } from '../../../event/json.ts';
import { openCall } from './calls.ts';
import { endMessage } from './messages.ts';
import { between } from './parts.ts';
import {
  type Call,
  createThread,
  inThread,
  keepRaw,
  nativeTypeOf,
  parentOf,
  type State,
  type Task,
  type Thread,
  uniqueId,
} from './state.ts';
import type { TaskLine, ToolOutput, WireLine } from './wire.ts';

/** The thread a line belongs to. A sub-agent nobody announced is started by its first line. */
export function threadOf(state: State, line: Loose<WireLine>): Thread {
  const callId = parentOf(line) ?? asText(line.agent_id);
  if (callId === undefined) return state.main;
  let thread = state.threads.get(callId);
  if (!thread) {
    thread = createThread(callId);
    state.threads.set(callId, thread);
  }
  const agentId = asText(line.agent_id);
  const named = agentId === undefined ? undefined : state.tasks.get(agentId);
  thread.task = named ?? thread.task ?? state.tasksByCall.get(callId) ?? startUnannounced(state, line, callId, agentId);
  return thread;
}

function startUnannounced(state: State, line: Loose<WireLine>, callId: string, agentId: string | undefined): Task {
  return startTask(state, agentId ?? callId, {
    kind: 'agent',
    toolCallId: callId === agentId ? undefined : callId,
    parentTaskId: asText(line.parent_agent_id),
    name: asText(line.subagent_type),
    description: asText(line.task_description),
    prompt: asText(line.task_prompt),
    synthetic: true,
  });
}

interface TaskFacts {
  readonly kind: TaskKind;
  readonly toolCallId?: string | undefined;
  readonly parentTaskId?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly prompt?: string | undefined;
  readonly background?: boolean | undefined;
  readonly synthetic?: true;
}

function startTask(state: State, nativeId: string, facts: TaskFacts): Task {
  const task: Task = {
    id: uniqueId(state, 'task', nativeId),
    kind: facts.kind,
    toolCallId: facts.toolCallId,
    background: facts.background ?? false,
    announced: undefined,
    error: undefined,
  };
  state.tasks.set(nativeId, task);
  state.openTasks.add(task);
  if (facts.toolCallId !== undefined) state.tasksByCall.set(facts.toolCallId, task);
  if (task.kind !== 'command') state.hasHelpers = true;
  const caller = openCall(state, facts.toolCallId)?.thread ?? state.main;
  const parentTaskId = facts.parentTaskId ?? caller.task?.id;
  inThread(state, caller, () => state.out.write({ type: 'task-start', taskId: task.id, ...facts, parentTaskId }));
  return task;
}

export function translateTaskStarted(state: State, line: Loose<TaskLine>): void {
  const nativeId = asText(line.task_id);
  if (nativeId === undefined) return keepRaw(state, line, 'system/task_started');
  const toolCallId = asText(line.tool_use_id);
  const open = state.tasks.get(nativeId) ?? (toolCallId === undefined ? undefined : state.tasksByCall.get(toolCallId));
  if (open && state.openTasks.has(open)) {
    state.tasks.set(nativeId, open);
    if (line.is_backgrounded === true) open.background = true;
    state.out.write({ type: 'task-update', taskId: open.id, status: 'running', summary: asText(line.description) });
    return;
  }
  const task = startTask(state, nativeId, {
    kind: kindOf(state, line),
    toolCallId,
    parentTaskId: taskIdOf(state, line.parent_task_id),
    name: asText(line.subagent_type) ?? asText(line.workflow_name),
    description: asText(line.description),
    prompt: asText(line.prompt),
    background: line.is_backgrounded === true ? true : undefined,
  });
  const thread = toolCallId === undefined ? undefined : state.threads.get(toolCallId);
  if (thread && task.kind === 'agent') thread.task = task;
}

function taskIdOf(state: State, nativeId: Json): string | undefined {
  const id = asText(nativeId);
  return id === undefined ? undefined : (state.tasks.get(id)?.id ?? id);
}

function kindOf(state: State, line: Loose<TaskLine>): TaskKind {
  switch (line.task_type) {
    case 'local_agent':
    case 'remote_agent':
      return 'agent';
    case 'local_bash':
      return 'command';
    case 'local_workflow':
      return 'workflow';
    case undefined: {
      if (asText(line.subagent_type) !== undefined) return 'agent';
      const call = openCall(state, line.tool_use_id);
      return call && state.speaker.traitsOf(call.name).kind === 'execute' ? 'command' : 'other';
    }
    default:
      return 'other';
  }
}

export function translateTaskProgress(state: State, line: Loose<TaskLine>): void {
  const task = state.tasks.get(asText(line.task_id) ?? '');
  if (!task || !state.openTasks.has(task)) return keepRaw(state, line, 'system/task_progress');
  const usage = asObject<{ tool_uses: number }>(line.usage);
  state.out.write({
    type: 'task-update',
    taskId: task.id,
    // `total_tokens` is the size of the last call, not what the task has used: it is left in the line.
    summary: asText(line.summary) ?? asText(line.description),
    toolUses: asCount(usage?.tool_uses),
    lastToolName: asText(line.last_tool_name),
  });
}

export function translateTaskUpdated(state: State, line: Loose<TaskLine>): void {
  const task = state.tasks.get(asText(line.task_id) ?? '');
  const patch = asObject<{ status: string; error: string; description: string; is_backgrounded: boolean }>(line.patch);
  if (!task || !state.openTasks.has(task) || !patch) return keepRaw(state, line, 'system/task_updated');
  const status = asText(patch.status);
  task.error = asText(patch.error) ?? task.error;
  if (patch.is_backgrounded === true) task.background = true;
  // The end is told by the notification, which knows more.
  const outcome = status === undefined ? undefined : outcomeOf(status);
  if (outcome) task.announced = outcome;
  state.out.write({
    type: 'task-update',
    taskId: task.id,
    status,
    summary: asText(patch.description),
    background: patch.is_backgrounded === true ? true : undefined,
  });
}

function outcomeOf(status: string): Outcome | undefined {
  switch (status) {
    case 'completed':
      return 'success';
    case 'failed':
      return 'error';
    case 'killed':
    case 'stopped':
      return 'cancelled';
    default:
      return undefined;
  }
}

export function translateTaskNotification(state: State, line: Loose<TaskLine>): void {
  const nativeId = asText(line.task_id);
  const status = asText(line.status);
  if (nativeId === undefined) return keepRaw(state, line, 'system/task_notification');
  let task = state.tasks.get(nativeId);
  if (task && !state.openTasks.has(task)) return keepRaw(state, line, 'system/task_notification');
  task ??= startTask(state, nativeId, {
    kind: kindOf(state, line),
    toolCallId: asText(line.tool_use_id),
    synthetic: true,
  });
  const usage = asObject<{ tool_uses: number; duration_ms: number }>(line.usage);
  endTask(state, task, {
    outcome: (status === undefined ? undefined : outcomeOf(status)) ?? task.announced ?? 'unknown',
    result: asText(line.summary),
    toolUses: asCount(usage?.tool_uses),
    durationMs: asNumber(usage?.duration_ms),
  });
}

/** The call that started a sub-agent has its result: one that did not go to the background is over with it. */
export function endTaskOfCall(state: State, call: Call, outcome: Outcome, result: Json): void {
  const output = asObject<ToolOutput>(result);
  const task = state.tasksByCall.get(call.id) ?? startByResult(state, call, output);
  if (!task || !state.openTasks.has(task)) return;
  if (output?.status === 'async_launched' || output?.status === 'remote_launched' || output?.backgroundTaskId) return;
  if (task.background && outcome === 'success') return;
  endTask(state, task, {
    outcome: task.announced ?? outcome,
    // The answer as the sub-agent gave it; the call's result wraps it in words for the model.
    result: asText(asObject<{ text: string }>(asList(output?.content).at(-1))?.text),
    toolUses: asCount(output?.totalToolUseCount),
    durationMs: asNumber(output?.totalDurationMs),
  });
}

/** A session file announces no tasks: the call's result names the sub-agent. */
function startByResult(state: State, call: Call, output: Loose<ToolOutput> | undefined): Task | undefined {
  const agentId = asText(output?.agentId);
  if (!state.isTranscript || agentId === undefined) return undefined;
  const known = state.tasks.get(agentId);
  if (known) return known;
  const input = asObject<{ subagent_type: string; description: string; prompt: string }>(call.input);
  return startTask(state, agentId, {
    kind: 'agent',
    toolCallId: call.id,
    parentTaskId: call.thread.task?.id,
    name: asText(input?.subagent_type),
    description: asText(input?.description),
    prompt: asText(input?.prompt),
    background: output?.status === 'async_launched' ? true : undefined,
    synthetic: true,
  });
}

/** A session file tells the end of what ran in the background in a text for the model. */
export function endTaskByNotice(state: State, text: string): void {
  const task = state.tasks.get(between(text, 'task-id') ?? '');
  const outcome = outcomeOf(between(text, 'status') ?? '');
  if (!task || !outcome || !state.openTasks.has(task)) return;
  const failed = between(text, 'summary')?.split(' failed: ').slice(1).join(' failed: ');
  endTask(state, task, {
    outcome,
    result: between(text, 'result') ?? (failed || between(text, 'summary')),
    toolUses: countIn(text, 'tool_uses'),
    durationMs: countIn(text, 'duration_ms'),
  });
}

function countIn(text: string, tag: string): number | undefined {
  const digits = between(text, tag);
  return digits ? asCount(Number(digits)) : undefined;
}

interface TaskEnd {
  readonly outcome: Outcome;
  readonly result?: string | undefined;
  readonly toolUses?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly synthetic?: true;
}

export function endTask(state: State, task: Task, end: TaskEnd): void {
  state.openTasks.delete(task);
  const thread = task.toolCallId === undefined ? undefined : state.threads.get(task.toolCallId);
  if (thread?.message && task.kind === 'agent') endMessage(state, thread.message);
  const failure = end.outcome === 'error' ? (task.error ?? end.result ?? 'the task failed') : undefined;
  state.out.write({
    type: 'task-end',
    taskId: task.id,
    error: failure === undefined ? undefined : { code: 'unknown', message: failure },
    ...end,
  });
}

/** `background_tasks_changed` repeats what the other lines told; it is kept, not translated. */
export function translateBackgroundTasks(state: State, line: Loose<WireLine>): void {
  keepRaw(state, line, nativeTypeOf(line) ?? 'system/background_tasks_changed');
}
