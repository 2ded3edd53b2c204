// What the person is asked, and what was answered: on the card of the call where there is one, as a part of its own otherwise.

import type { EventOf } from '../event/event.ts';
import { changeCall, isCall, isOpenStatus } from './calls.ts';
import type { Call, CallStatus, Conversation, Part, PartBase, Permission, Question, Waiting } from './conversation.ts';
import { findEntry, remember } from './list.ts';
import { addPart, baseOf, gapOrder, madeUpId, replacePart, told } from './place.ts';

export function requestPermission(conversation: Conversation, event: EventOf<'permission-request'>): Conversation {
  const { requestId, toolCallId, toolName, input, title, reason, options } = event;
  const permission: Permission = { requestId, ...told({ title, reason, input, options }) };
  if (toolCallId !== undefined) {
    const next = changeCall(conversation, toolCallId, event, (call) => ({
      ...call,
      name: call.name || (toolName ?? ''),
      permission,
      status: isOpenStatus(call.status) ? 'waiting' : call.status,
    }));
    return startWaiting(next, { requestId, kind: 'permission', partId: `call:${toolCallId}` });
  }
  return waitApart(conversation, event, 'permission', (base) => ({
    ...base,
    type: 'permission',
    permission,
    ...told({ toolName }),
  }));
}

export function resolvePermission(conversation: Conversation, event: EventOf<'permission-resolve'>): Conversation {
  const { requestId, toolCallId, decision, by, optionId, reason } = event;
  const answer = told({ requestId, decision, by, optionId, reason });
  const next = requestId === undefined ? conversation : forget(conversation, requestId);
  const partId = requestId === undefined ? undefined : partOfRequest(conversation, requestId);
  const part = partId === undefined ? undefined : findEntry(conversation.parts, partId);
  if (part?.type === 'permission')
    return replacePart(next, part, { ...part, permission: { ...part.permission, ...answer } });
  const callId = part && isCall(part) ? part.toolCallId : toolCallId;
  if (callId !== undefined) {
    return changeCall(next, callId, event, (call) => ({
      ...call,
      permission: { ...call.permission, ...answer },
      ...statusAfter(next, call, decision),
    }));
  }
  // A decision about something that nobody has shown.
  return addPart(next, {
    ...baseOf(event, madeUpId(next, 'permission'), gapOrder(next, event, 'weather')),
    type: 'permission',
    permission: answer,
  });
}

export function requestAnswer(conversation: Conversation, event: EventOf<'question-request'>): Conversation {
  const { requestId, toolCallId, message, questions, schema, choices } = event;
  const question: Question = { requestId, message, ...told({ questions, schema, choices }) };
  if (toolCallId !== undefined) {
    const next = changeCall(conversation, toolCallId, event, (call) => ({
      ...call,
      question,
      status: isOpenStatus(call.status) ? 'waiting' : call.status,
    }));
    return startWaiting(next, { requestId, kind: 'question', partId: `call:${toolCallId}` });
  }
  return waitApart(conversation, event, 'question', (base) => ({ ...base, type: 'question', question }));
}

/** A request about no call is a part of its own; one that is told again takes the place of the first. */
function waitApart(
  conversation: Conversation,
  event: EventOf<'permission-request' | 'question-request'>,
  kind: Waiting['kind'],
  partOf: (base: PartBase) => Part,
): Conversation {
  const { requestId } = event;
  const partId = `request:${requestId}`;
  const known = findEntry(conversation.parts, partId);
  const part = partOf(baseOf(event, partId, known?.order ?? gapOrder(conversation, event, 'weather')));
  const next = known ? replacePart(conversation, known, part) : addPart(conversation, part);
  return startWaiting(next, { requestId, kind, partId });
}

export function resolveAnswer(conversation: Conversation, event: EventOf<'question-resolve'>): Conversation {
  const { requestId, answer, outcome } = event;
  const partId = partOfRequest(conversation, requestId);
  const part = partId === undefined ? undefined : findEntry(conversation.parts, partId);
  const next = forget(conversation, requestId);
  const known: Question = (part && 'question' in part && part.question) || { requestId, message: '' };
  const question: Question = { ...known, ...told({ answer }), outcome };
  if (part?.type === 'question') return replacePart(next, part, { ...part, question });
  if (part && isCall(part)) {
    return replacePart(next, part, { ...part, question, ...statusAfter(next, part, 'allowed') });
  }
  return addPart(next, {
    ...baseOf(event, madeUpId(next, 'question'), gapOrder(next, event, 'weather')),
    type: 'question',
    question,
  });
}

/** A call goes on when nothing else is asked about it. One that was denied will not, though its end is yet to be told. */
function statusAfter(
  conversation: Conversation,
  call: Call,
  decision: 'allowed' | 'denied' | 'cancelled',
): { readonly status?: CallStatus; readonly synthetic?: true } {
  if (!isOpenStatus(call.status)) return {};
  if (decision === 'denied') return { status: 'denied', synthetic: true };
  const isAsked = conversation.waiting.some(({ partId }) => partId === call.id);
  return call.status === 'waiting' && !isAsked ? { status: 'running' } : {};
}

/** More than anybody answers. The list is copied with each request, so it has to end somewhere. */
const MAX_WAITING = 1000;

function startWaiting(conversation: Conversation, one: Waiting): Conversation {
  const others = forget(conversation, one.requestId).waiting.slice(1 - MAX_WAITING);
  return { ...conversation, waiting: [...others, one] };
}

function forget(conversation: Conversation, requestId: string): Conversation {
  const waiting = conversation.waiting.filter((one) => one.requestId !== requestId);
  return waiting.length === conversation.waiting.length ? conversation : { ...conversation, waiting };
}

/** The part that shows a request. One that was given up may still be answered, so not only those that wait are looked at. */
function partOfRequest(conversation: Conversation, requestId: string): string | undefined {
  const open = conversation.waiting.find((one) => one.requestId === requestId);
  if (open) return open.partId;
  for (let at = conversation.parts.length - 1; at >= 0; at--) {
    const found = partsByRequest(conversation.parts[at] ?? []).get(requestId);
    if (found !== undefined) return found;
  }
  return undefined;
}

const partsByRequest = remember((chunk: readonly Part[]): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const part of chunk) {
    if ('permission' in part && part.permission?.requestId !== undefined) found.set(part.permission.requestId, part.id);
    if ('question' in part && part.question) found.set(part.question.requestId, part.id);
  }
  return found;
});
