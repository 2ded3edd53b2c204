// What passes between Copilot and its host: permissions, questions, hooks, compactions. Version 1.0.102 keeps these lines from
// stdout (all but the plan); they are in the schema, and come when a session's own file is read.

import type { EventOf, Outcome } from '../../event/event.ts';
import { asCount, asObject, asText, asTexts, entryOf, type Json, type Loose } from '../../event/json.ts';
import type { Handler, State } from './state.ts';
import type { Data, PermissionRequest, PermissionResult } from './wire.ts';

export const hostHandlers: readonly (readonly [string, Handler])[] = [
  ['permission.requested', askPermission],
  ['permission.completed', resolvePermission],
  ['user_input.requested', askQuestion],
  ['user_input.completed', resolveQuestion],
  ['elicitation.requested', askQuestion],
  ['elicitation.completed', resolveQuestion],
  ['exit_plan_mode.requested', tellPlan],
  ['hook.start', startHook],
  ['hook.end', endHook],
  ['session.compaction_start', startCompaction],
  ['session.compaction_complete', endCompaction],
];

/** The id of a request; the line's own where it has none. */
const requestOf = ({ narrator }: State, data: Loose<Data>): string =>
  asText(data.requestId) ?? narrator.out.lineId ?? `request-${narrator.out.line}`;

function askPermission(state: State, data: Loose<Data>): void {
  const { narrator } = state;
  const request = asObject<PermissionRequest>(data.permissionRequest);
  const call = narrator.openCall(request?.toolCallId);
  narrator.askPermission(requestOf(state, data), {
    toolCallId: call?.id ?? asText(request?.toolCallId),
    toolName: call?.name ?? asText(request?.toolName),
    input: call?.input ?? request?.args,
    title:
      asText(request?.fullCommandText) ??
      asText(request?.fileName) ??
      asText(request?.path) ??
      asText(request?.url) ??
      asText(request?.intention),
    reason: asText(request?.warning),
  });
}

type Resolve = EventOf<'permission-resolve'>;

function resolvePermission(state: State, data: Loose<Data>): void {
  const { narrator } = state;
  const result = asObject<PermissionResult>(data.result);
  const kind = asText(result?.kind) ?? '';
  const toolCallId = asText(data.toolCallId);
  const decision: Resolve['decision'] = kind.startsWith('approved')
    ? 'allowed'
    : kind.startsWith('denied')
      ? 'denied'
      : 'cancelled';
  if (decision === 'denied' && toolCallId !== undefined) state.refused.add(toolCallId);
  narrator.resolvePermission(requestOf(state, data), {
    toolCallId: narrator.openCall(toolCallId)?.id ?? toolCallId,
    decision,
    by: resolverOf(kind, data.decisionSource),
    reason: asText(result?.feedback) ?? asText(result?.message) ?? asText(result?.reason),
  });
}

const RESOLVERS: Readonly<Record<string, Resolve['by']>> = {
  human_response: 'user',
  host_policy: 'policy',
  unattended_fallback: 'policy',
  authorization_carry_forward: 'policy',
  assisted_approval: 'agent',
};

function resolverOf(kind: string, source: Json): Resolve['by'] {
  if (kind === 'denied-interactively-by-user') return 'user';
  return entryOf(RESOLVERS, source) ?? (kind.startsWith('denied') ? 'policy' : 'unknown');
}

function askQuestion(state: State, data: Loose<Data>): void {
  const { narrator } = state;
  const toolCallId = asText(data.toolCallId);
  narrator.askQuestion(requestOf(state, data), {
    toolCallId: narrator.openCall(toolCallId)?.id ?? toolCallId,
    message: asText(data.question) ?? asText(data.message) ?? '',
    schema: data.requestedSchema,
    choices: asTexts(data.choices),
  });
}

const ANSWERS: Readonly<Record<string, Outcome>> = { accept: 'success', decline: 'denied', cancel: 'cancelled' };

function resolveQuestion(state: State, data: Loose<Data>): void {
  state.narrator.resolveQuestion(requestOf(state, data), {
    answer: data.answer ?? data.content,
    outcome: entryOf(ANSWERS, data.action) ?? 'success',
  });
}

function tellPlan({ narrator }: State, data: Loose<Data>): void {
  narrator.out.write({ type: 'plan-update', text: asText(data.planContent) ?? asText(data.summary) });
}

function startHook({ narrator }: State, data: Loose<Data>): void {
  const name = asText(data.hookType) ?? 'hook';
  narrator.startHook(asText(data.hookInvocationId) ?? name, { name, on: name });
}

function endHook({ narrator }: State, data: Loose<Data>): void {
  const error = asText(asObject<{ message: string }>(data.error)?.message);
  narrator.endHook(asText(data.hookInvocationId) ?? asText(data.hookType) ?? 'hook', {
    outcome: data.success === true ? 'success' : data.success === false ? 'error' : 'unknown',
    output: error ?? asText(data.output),
  });
}

const TRIGGERS: Readonly<Record<string, NonNullable<EventOf<'compaction-start'>['trigger']>>> = {
  manual: 'manual',
  threshold: 'auto',
  memory_pressure: 'auto',
  model_switch: 'auto',
  context_limit_retry: 'overflow',
};

function startCompaction({ narrator }: State, data: Loose<Data>): void {
  narrator.startCompaction(asText(data.compactionAttemptId), { trigger: entryOf(TRIGGERS, data.trigger) });
}

function endCompaction({ narrator }: State, data: Loose<Data>): void {
  narrator.endCompaction({
    outcome: data.success === true ? 'success' : data.success === false ? 'error' : 'unknown',
    trigger: entryOf(TRIGGERS, data.trigger),
    tokensBefore: asCount(data.preCompactionTokens),
    tokensAfter: asCount(data.postCompactionTokens),
    summary: asText(data.summaryContent),
  });
}
