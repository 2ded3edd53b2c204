// What the AI SDK has no word for: data parts. One with an id takes the place of the one before; a transient one is not kept.

import type { EventOf } from '../../event/event.ts';
import { asText } from '../../event/json.ts';
import type { AgentData, Send, TaskData, UIMessageChunk } from './chunk.ts';
import type { Steps } from './steps.ts';
import { told } from './told.ts';

export interface Data {
  /** A part of the message. Without an id it gets one of its own. */
  keep<Name extends keyof AgentData>(name: Name, data: AgentData[Name], id?: string): void;
  /** Told once, to whoever listens now. */
  mention<Name extends keyof AgentData>(name: Name, data: AgentData[Name]): void;
  task(event: EventOf<'task-start' | 'task-update' | 'task-end'>): void;
  ask(event: EventOf<'question-request'>): void;
  answer(event: EventOf<'question-resolve'>): void;
  request(event: EventOf<'permission-request'>): void;
  /** Whether the decision was about something that is shown here. */
  decide(event: EventOf<'permission-resolve'>): boolean;
}

export function createData(send: Send, steps: Steps): Data {
  const tasks = new Map<string, TaskData>();
  const questions = new Map<string, AgentData['question']>();
  const requests = new Map<string, AgentData['permission']>();
  /** Parts that are in the message already. */
  const kept = new Set<string>();
  let count = 0;

  function keep<Name extends keyof AgentData>(name: Name, data: AgentData[Name], given?: string): void {
    const id = asText(given) ?? `${name}:${++count}`;
    const key = `data-${name}:${id}`;
    if (!kept.has(key)) steps.add(key);
    kept.add(key);
    // The name says which data belong to it; the compiler does not follow that through the union.
    send({ type: `data-${name}`, id, data } as UIMessageChunk);
  }

  return {
    keep,
    mention(name, data) {
      // As in `keep`.
      send({ type: `data-${name}`, data, transient: true } as UIMessageChunk);
    },
    task(event) {
      const { taskId } = event;
      if (typeof taskId !== 'string') return;
      const known = tasks.get(taskId) ?? { taskId, status: 'running' };
      // Nobody's line told this end, and somebody's line told one before.
      if (event.synthetic && known.status !== 'running') return;
      const task = { ...known, ...factsOf(event) };
      tasks.set(taskId, task);
      if (JSON.stringify(task) !== JSON.stringify(known) || event.type === 'task-start') keep('task', task, taskId);
    },
    ask({ requestId, toolCallId, message, questions: asked, choices, schema }) {
      const question = { requestId, ...told({ toolCallId, message, questions: asked, choices, schema }) };
      questions.set(requestId, question);
      keep('question', question, requestId);
    },
    answer({ requestId, answer, outcome }) {
      const question = { ...questions.get(requestId), requestId, ...told({ answer, outcome }) };
      questions.set(requestId, question);
      keep('question', question, requestId);
    },
    request({ requestId, toolCallId, toolName, input, title, reason, options }) {
      const request = { requestId, ...told({ toolCallId, toolName, input, title, reason, options }) };
      requests.set(requestId, request);
      keep('permission', request, requestId);
    },
    decide({ requestId, decision, reason }) {
      const request = requestId === undefined ? undefined : requests.get(requestId);
      if (request) keep('permission', { ...request, ...told({ decision, reason }) }, requestId);
      return request !== undefined;
    },
  };
}

function factsOf(event: EventOf<'task-start' | 'task-update' | 'task-end'>): Partial<TaskData> {
  if (event.type === 'task-start') {
    const { kind, toolCallId, parentTaskId, name, description, model, background } = event;
    return told({ kind, toolCallId, parentTaskId, name, description, model, background });
  }
  if (event.type === 'task-update') {
    const { summary, usage, toolUses, lastToolName, background } = event;
    return told({ summary, usage, toolUses, lastToolName, background });
  }
  const { outcome, result, error, usage, toolUses, durationMs } = event;
  return told({ status: outcome, result, error, usage, toolUses, durationMs });
}
