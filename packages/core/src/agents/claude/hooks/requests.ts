// What the agent asks the person: shown here, answered elsewhere.

import { asList, asObject, asText, type Json, type Loose } from '../../../event/json.ts';
import { translatePermissionDenied } from '../../dialects/claude/control.ts';
import { type Call, inThread, type Request, type State, type Thread, uniqueId } from '../../dialects/claude/state.ts';
import { currentTurn } from '../../dialects/claude/turns.ts';
import type { WireQuestion } from '../../dialects/claude/wire.ts';
import { type Feed, keep, threadOfPayload } from './feed.ts';
import type { HookPayload } from './wire.ts';

/** A permission, or a question of the tool that asks some. The result of the call tells how it was answered. */
export function permissionAsked(feed: Feed, payload: Loose<HookPayload>): void {
  const { state } = feed;
  const thread = threadOfPayload(feed, payload);
  const toolName = asText(payload.tool_name);
  const input = payload.tool_input;
  const call = callAskedFor(state, thread, toolName, input);
  // The CLI waits for no hook with its question: who answers at once is faster than the hook that tells of it (2.1.325).
  if (!call && feed.ended.some((one) => one.thread === thread && isAbout(one, toolName, input)))
    return keep(feed, payload);
  if (thread === state.main) currentTurn(state);
  const questions =
    toolName !== undefined && toolName === state.speaker.questionTool
      ? asList(asObject<{ questions: Json }>(input)?.questions).flatMap((one) => asObject<WireQuestion>(one) ?? [])
      : [];
  const isQuestion = questions.length > 0;
  const requestId = remember(state, `request-${state.out.line}`, call, isQuestion ? 'question' : 'permission');
  const about = { requestId, toolCallId: call?.id };
  inThread(state, thread, () => {
    if (!isQuestion) return state.out.write({ type: 'permission-request', ...about, toolName, input });
    state.out.write({
      type: 'question-request',
      ...about,
      message: questions.map(({ question }) => asText(question) ?? '').join('\n'),
      schema: input,
      choices: questions.length === 1 ? labelsOf(questions[0]?.options) : undefined,
    });
  });
}

/** The payload does not say which call it is about: the one of this tool with this input that nobody was asked about. */
function callAskedFor(state: State, thread: Thread, name: string | undefined, input: Json): Call | undefined {
  const open = [...thread.calls].filter((call) => call.name === name && !state.requestsByCall.has(call.nativeId));
  // A hook may have changed the input: then the only call of the tool is the one.
  return open.find((call) => isAbout(call, name, input)) ?? (open.length === 1 ? open[0] : undefined);
}

function isAbout(call: Call, name: string | undefined, input: Json): boolean {
  return call.name === name && JSON.stringify(call.input) === JSON.stringify(input);
}

function labelsOf(options: Json): readonly string[] {
  return asList(options).flatMap((option) => asText(asObject<{ label: string }>(option)?.label) ?? []);
}

function remember(state: State, wanted: string, call: Call | undefined, kind: Request['kind']): string {
  const id = uniqueId(state, 'request', wanted);
  const request: Request = { id, nativeId: id, callId: call?.nativeId, kind };
  state.requests.set(id, request);
  if (call) state.requestsByCall.set(call.nativeId, request);
  return id;
}

/** The agent's own judgement refused a call. */
export function permissionDenied(feed: Feed, payload: Loose<HookPayload>): void {
  if (asText(payload.tool_use_id) === undefined) return keep(feed, payload);
  const thread = threadOfPayload(feed, payload);
  inThread(feed.state, thread, () =>
    translatePermissionDenied(feed.state, { tool_use_id: payload.tool_use_id, message: payload.reason }),
  );
}

/** A server of tools wants something from the person. */
export function elicitationAsked(feed: Feed, payload: Loose<HookPayload>): void {
  const { state } = feed;
  const nativeId = elicitationOf(payload);
  if (state.requests.has(nativeId)) return keep(feed, payload);
  const request: Request = { id: uniqueId(state, 'request', nativeId), nativeId, callId: undefined, kind: 'question' };
  state.requests.set(nativeId, request);
  state.out.write({
    type: 'question-request',
    requestId: request.id,
    message: asText(payload.message) ?? '',
    schema: payload.requested_schema,
  });
}

export function elicitationAnswered(feed: Feed, payload: Loose<HookPayload>): void {
  const { state } = feed;
  const request = state.requests.get(elicitationOf(payload));
  if (request?.kind !== 'question') return keep(feed, payload);
  state.requests.delete(request.nativeId);
  const outcome = payload.action === 'accept' ? 'success' : 'cancelled';
  state.out.write({ type: 'question-resolve', requestId: request.id, answer: payload.content, outcome });
}

/** A form has no id of its own: a server asks one thing at a time. */
function elicitationOf(payload: Loose<HookPayload>): string {
  return asText(payload.elicitation_id) ?? `elicitation-${asText(payload.mcp_server_name) ?? ''}`;
}
