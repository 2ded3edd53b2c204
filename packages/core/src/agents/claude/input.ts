// What is said to Claude Code while it runs, as lines on its stdin: prompts, answers to what it asks, and what is asked of it.

import type { AgentStreamEvent } from '../../event/event.ts';
import { asCount, asList, asNumber, asObject, asText, asTexts, type Json } from '../../event/json.ts';
import type { AgentInput, Answer, ContextUsage, Demand, DemandResults, Heard, RequestEvent, Rewind } from '../agent.ts';
import type { ControlRequestLine, ControlResponseLine } from '../dialects/claude/wire.ts';

export const input: AgentInput = {
  prompt: promptLine,
  answer: (request, answer) => {
    const facts = factsOf(request);
    const response = request.type === 'permission-request' ? decide(request, answer) : reply(request, answer);
    return lineOf({
      type: 'control_response',
      response: { subtype: 'success', request_id: asText(facts['requestId']) ?? request.requestId, response },
    });
  },
  demand: (demand, id) => lineOf({ type: 'control_request', request_id: id, request: requestOf(demand) }),
  hear,
  readResult: <T extends Demand['type']>(type: T, value: Json) =>
    // Each reader gives what its demand is said to give.
    readers[type]?.(value) as DemandResults[T] | undefined,
};

export function promptLine(text: string, id: string | undefined): string {
  return lineOf({
    type: 'user',
    message: { role: 'user', content: text },
    parent_tool_use_id: null,
    session_id: '',
    ...(id !== undefined && { uuid: id }),
  });
}

function lineOf(message: object): string {
  return `${JSON.stringify(message)}\n`;
}

// ── Answers ───────────────────────────────────────────────────────────────────────────────────────

/** What the CLI is told when somebody says no and not why. */
const NO_REASON = 'The person does not want this.';

function factsOf(request: RequestEvent): Readonly<Record<string, Json>> {
  return asObject(request.extra?.['claude']) ?? {};
}

function decide(request: RequestEvent & { readonly type: 'permission-request' }, answer: Answer): object {
  if (answer.decision === 'deny') return denial(answer);
  if (answer.decision !== 'allow') throw misfit(request, answer);
  const suggestions = answer.always === true ? asList(factsOf(request)['suggestions']) : [];
  return {
    behavior: 'allow',
    updatedInput: answer.input === undefined ? (request.input ?? {}) : mustBeObject(answer.input, 'input'),
    // For the session: an answer writes no settings into the person's project.
    ...(suggestions.length > 0 && {
      updatedPermissions: suggestions.map((one) => ({ ...asObject(one), destination: 'session' })),
    }),
  };
}

function denial({ reason, interrupt }: Answer & { readonly decision: 'deny' }): object {
  return { behavior: 'deny', message: reason || NO_REASON, ...(interrupt === true && { interrupt: true }) };
}

/** Questions come in three ways: by a tool of the CLI's own, from an MCP server, and as a dialog. */
function reply(request: RequestEvent & { readonly type: 'question-request' }, answer: Answer): object {
  const kind = factsOf(request)['request'];
  if (answer.decision === 'deny') {
    if (kind === 'elicitation') return { action: answer.interrupt === true ? 'cancel' : 'decline' };
    return kind === 'request_user_dialog' ? { behavior: 'cancelled' } : denial(answer);
  }
  if (answer.decision !== 'answer') throw misfit(request, answer);
  const content = mustBeObject(answer.content, 'content');
  if (kind === 'elicitation') return { action: 'accept', content };
  if (kind === 'request_user_dialog') return { behavior: 'completed', result: content };
  return { behavior: 'allow', updatedInput: { ...asObject(request.schema), answers: content } };
}

/** What is no yes is never taken for one: that would let a tool run. */
function misfit({ type }: RequestEvent, { decision }: Answer): TypeError {
  return new TypeError(`"${decision}" is no answer to a ${type}`);
}

function mustBeObject(value: Json, field: string): object {
  const object = asObject(value);
  if (!object) throw new TypeError(`"${field}" of an answer is an object`);
  return object;
}

// ── Demands ───────────────────────────────────────────────────────────────────────────────────────

function requestOf(demand: Demand): object {
  switch (demand.type) {
    case 'interrupt':
      return { subtype: 'interrupt' };
    case 'set-model':
      return { subtype: 'set_model', model: demand.model };
    case 'set-permission-mode':
      return { subtype: 'set_permission_mode', mode: demand.mode };
    case 'context-usage':
      return { subtype: 'get_context_usage' };
    case 'rewind-files':
      return {
        subtype: 'rewind_files',
        user_message_id: demand.checkpoint,
        ...(demand.dryRun && { dry_run: true }),
      };
    case 'stop-task':
      return { subtype: 'stop_task', task_id: demand.taskId };
  }
}

/** What the CLI asks of a host that has more to offer than this one; all else it asks is unknown to everybody. */
const NOT_OURS = 'control_request/mcp_message';

function hear(event: AgentStreamEvent): Heard | undefined {
  if (event.type !== 'raw') return undefined;
  if (event.nativeType === 'control_response') {
    const { response } = asObject<ControlResponseLine>(event.value) ?? {};
    const {
      subtype,
      request_id,
      response: value,
      error,
    } = asObject<NonNullable<ControlResponseLine['response']>>(response) ?? {};
    const id = asText(request_id);
    if (id === undefined) return undefined;
    if (subtype === 'error') return { kind: 'reply', id, error: asText(error) ?? 'it was refused' };
    const refusal = refusalIn(value);
    return refusal === undefined ? { kind: 'reply', id, value } : { kind: 'reply', id, error: refusal };
  }
  const isUnknown = event.reason === 'unknown_type' && event.nativeType?.startsWith('control_request');
  const id = asText(asObject<ControlRequestLine>(event.value)?.request_id);
  if (id === undefined || !(isUnknown || event.nativeType === NOT_OURS)) return undefined;
  const error = {
    subtype: 'error',
    request_id: id,
    error: 'nobody here can do that',
    error_code: 'unsupported_request',
  };
  return { kind: 'refuse', line: lineOf({ type: 'control_response', response: error }) };
}

/** A rewind that cannot be done is told as a success with a no inside. */
function refusalIn(value: Json): string | undefined {
  const told = asObject<{ canRewind: boolean; error: string }>(value);
  return told?.canRewind === false ? asText(told.error) : undefined;
}

const readers: { readonly [type: string]: (value: Json) => unknown } = {
  'context-usage': readContextUsage,
  'rewind-files': readRewind,
};

function readContextUsage(value: Json): ContextUsage | undefined {
  const told = asObject<{ categories: unknown; totalTokens: number; maxTokens: number }>(value);
  const usedTokens = asNumber(told?.totalTokens);
  if (usedTokens === undefined) return undefined;
  const maxTokens = asNumber(told?.maxTokens);
  return {
    usedTokens,
    ...(maxTokens !== undefined && { maxTokens }),
    parts: asList(told?.categories).flatMap((one) => {
      const { name, tokens } = asObject<{ name: string; tokens: number }>(one) ?? {};
      return typeof name === 'string' && typeof tokens === 'number' ? [{ name, tokens }] : [];
    }),
  };
}

function readRewind(value: Json): Rewind | undefined {
  const told = asObject<{ canRewind: boolean; filesChanged: string[]; insertions: number; deletions: number }>(value);
  if (told?.canRewind !== true) return undefined;
  const linesAdded = asCount(told.insertions);
  const linesRemoved = asCount(told.deletions);
  return {
    files: asTexts(told.filesChanged) ?? [],
    ...(linesAdded !== undefined && { linesAdded }),
    ...(linesRemoved !== undefined && { linesRemoved }),
  };
}
