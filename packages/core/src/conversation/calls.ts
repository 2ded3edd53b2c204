// Tool calls: from the name to the result, and what they do on the way. Whatever names a call first makes its part; a start that
// comes later fills it in.

import type { EventBase, EventOf, Outcome } from '../event/event.ts';
import type { Call, CallFacts, CallPart, CallStatus, Conversation, Part, Plan } from './conversation.ts';
import { findEntry } from './list.ts';
import { retractionOf } from './messages.ts';
import {
  addPart,
  anchoredOrder,
  baseOf,
  gapOrder,
  isAdrift,
  madeUpId,
  noteTime,
  replacePart,
  timeOf,
  told,
  untimedOrder,
} from './place.ts';

export function startCall(conversation: Conversation, event: EventOf<'tool-call-start'>): Conversation {
  const { toolCallId, toolName, kind, tags, title, mcp, serverSide, messageId, subagentId } = event;
  const retracted = retractionOf(conversation, messageId);
  return changeCall(noteTime(conversation, event), toolCallId, event, ({ subagentId: _, ...call }) =>
    inItsForm({
      ...call,
      // Whoever made the part before did not know the thread for certain.
      ...told({ subagentId, messageId, tags, mcp, serverSide, retracted, title: call.title ?? title }),
      name: toolName,
      kind,
    }),
  );
}

export function growInput(conversation: Conversation, event: EventOf<'tool-call-input-delta'>): Conversation {
  const call = findCall(conversation, event.toolCallId);
  if (!call) {
    return changeCall(conversation, event.toolCallId, event, (made) => ({ ...made, inputText: event.delta }));
  }
  if (call.status !== 'pending' || call.input !== undefined) return conversation;
  return replacePart(conversation, call, { ...call, inputText: (call.inputText ?? '') + event.delta });
}

export function endInput(conversation: Conversation, event: EventOf<'tool-call-input-end'>): Conversation {
  const { toolCallId, input, title, locations } = event;
  return changeCall(noteTime(conversation, event), toolCallId, event, ({ inputText: _, ...call }) => ({
    ...call,
    ...told({ input, title, locations }),
    status: call.status === 'pending' ? 'running' : call.status,
  }));
}

export function updateCall(conversation: Conversation, event: EventOf<'tool-call-update'>): Conversation {
  const { toolCallId, title, locations, elapsedMs, outputDelta, outputSnapshot } = event;
  return changeCall(conversation, toolCallId, event, (call) => {
    // The result has come already, from another stream: it knows more.
    if (call.content && call.content.length > 0) return { ...call, ...told({ title: call.title ?? title }) };
    const outputText =
      outputSnapshot ?? (outputDelta === undefined ? undefined : (call.outputText ?? '') + outputDelta);
    const isWorking = event.status !== undefined && (call.status === 'pending' || call.status === 'running');
    return {
      ...call,
      ...told({ title, locations, elapsedMs, outputText }),
      ...(isWorking && { status: event.status === 'in_progress' ? 'running' : 'pending' }),
    };
  });
}

export function endCall(conversation: Conversation, event: EventOf<'tool-call-end'>): Conversation {
  const { toolCallId, toolName, outcome, content, output, exitCode, error, nativeStatus, durationMs } = event;
  const next = changeCall(noteTime(conversation, event), toolCallId, event, (call) => {
    // Nobody's line told this end, and somebody's line told one before.
    if (event.synthetic && !isOpenStatus(call.status) && !call.synthetic) return call;
    const { synthetic: _, outputText, inputText: __, elapsedMs: ___, ...rest } = call;
    return {
      ...rest,
      ...told({ content, output, exitCode, error, nativeStatus, durationMs, synthetic: event.synthetic }),
      ...(content.length === 0 && outputText !== undefined && { outputText }),
      name: call.name || toolName,
      status: statusOf(outcome),
    };
  });
  return stopWaiting(next, `call:${toolCallId}`);
}

// ── What calls do ─────────────────────────────────────────────────────────────────────────────────

export function changeFiles(conversation: Conversation, event: EventOf<'file-change'>): Conversation {
  const { toolCallId, changes, outcome, candidates } = event;
  const changesOutcome = outcome === 'success' ? undefined : outcome;
  if (toolCallId !== undefined) {
    return changeCall(conversation, toolCallId, event, (call) => ({
      ...call,
      changes: [...(call.changes ?? []), ...changes],
      ...told({ changesOutcome }),
    }));
  }
  return addPart(conversation, {
    ...baseOf(event, madeUpId(conversation, 'changes'), gapOrder(conversation, event, 'weather')),
    type: 'changes',
    changes,
    ...told({ changesOutcome, candidates }),
  });
}

export function changeTodos(conversation: Conversation, event: EventOf<'todo-update'>): Conversation {
  const { toolCallId, entries } = event;
  const next = event.subagentId === undefined ? { ...conversation, todos: entries } : conversation;
  if (toolCallId === undefined) return next;
  return changeCall(next, toolCallId, event, (call) => ({ ...call, todos: entries }));
}

/** A plan comes in pieces: its text with the call, its path with the result. */
export function changePlan(conversation: Conversation, event: EventOf<'plan-update'>): Conversation {
  const { toolCallId } = event;
  const news = told({ text: event.text, path: event.path });
  if (toolCallId !== undefined) {
    const known = findCall(conversation, toolCallId)?.plan;
    const plan = { ...known, ...news };
    return showPlan(
      changeCall(conversation, toolCallId, event, (call) => inItsForm({ ...call, plan })),
      event,
      plan,
    );
  }
  const part: Part = {
    ...baseOf(event, madeUpId(conversation, 'plan'), gapOrder(conversation, event, 'weather')),
    type: 'plan',
    plan: news,
  };
  return showPlan(addPart(conversation, part), event, news);
}

function showPlan(conversation: Conversation, event: EventBase, plan: Plan): Conversation {
  return event.subagentId === undefined ? { ...conversation, plan } : conversation;
}

// ── Finding and changing ──────────────────────────────────────────────────────────────────────────

/** The call with this id, however it is shown. */
export function findCall(conversation: Conversation, toolCallId: string): Call | undefined {
  // Only calls have such an id.
  return findEntry(conversation.parts, `call:${toolCallId}`) as Call | undefined;
}

/** Whether a part is a call, however it is shown. */
export function isCall(part: Part): part is Call {
  return part.id.startsWith('call:');
}

/** Changes a call, making it where it is not known, and puts it where the event says that it belongs. */
export function changeCall(
  conversation: Conversation,
  toolCallId: string,
  event: EventBase & { readonly type: string },
  change: (call: Call) => Call,
): Conversation {
  const known = findCall(conversation, toolCallId);
  const made = known ? conversation : addPart(conversation, blankCall(conversation, toolCallId, event));
  const call = known ?? findCall(made, toolCallId);
  if (!call) return made;
  const changed = change(call);
  const isTelling = event.type === 'tool-call-start' || event.type === 'tool-call-input-end';
  const isWhole = event.type === 'tool-call-input-end' || event.type === 'tool-call-end';
  const time = timeOf(event);
  if (call.time === undefined && time !== undefined && (isTelling || (isWhole && isAdrift(call.order))))
    return replacePart(made, call, { ...changed, time, order: anchoredOrder(time, call.order, rankOf(event)) });
  if (isWhole && isAdrift(call.order)) {
    const { conversation: placed, order } = untimedOrder(made, event, call.order, event.synthetic === true);
    return replacePart(placed, call, { ...changed, order });
  }
  return changed === call ? made : replacePart(made, call, changed);
}

/**
 * Stdout leaves out what a sub-agent says before a call; the file that has it may come later. Within one millisecond the words
 * come first all the same.
 */
function rankOf({ from, subagentId }: EventBase): number {
  return from !== undefined && subagentId !== undefined ? 1 : 0;
}

function blankCall(conversation: Conversation, toolCallId: string, event: EventBase): CallPart {
  const base = baseOf(event, `call:${toolCallId}`, gapOrder(conversation, event, 'streaming'));
  return { ...base, type: 'call', toolCallId, name: '', kind: 'other', status: 'pending' };
}

/** Calls that switch the mode are never shown as a card: they are a plan that is put forward, or a change of mode. */
function inItsForm(call: Call): Call {
  const facts: CallFacts & Omit<CallPart, 'type'> = call;
  if (call.kind !== 'switch_mode') return { ...facts, type: 'call' };
  return call.plan ? { ...facts, type: 'plan', plan: call.plan } : { ...facts, type: 'mode' };
}

export function isOpenStatus(status: CallStatus): boolean {
  return status === 'pending' || status === 'running' || status === 'waiting';
}

export function statusOf(outcome: Outcome): 'completed' | 'failed' | 'denied' | 'cancelled' | 'unknown' {
  switch (outcome) {
    case 'success':
      return 'completed';
    case 'error':
      return 'failed';
    default:
      return outcome;
  }
}

/** Nobody is asked any more about what the part shows. */
function stopWaiting(conversation: Conversation, partId: string): Conversation {
  const waiting = conversation.waiting.filter((one) => one.partId !== partId);
  return waiting.length === conversation.waiting.length ? conversation : { ...conversation, waiting };
}
