// A text from the socket → a frame. Only what is leaned on is looked at: this is done for each of thousands of events.

import type { Frame, ServerMessage } from '@tailrace/protocol';

/** Nothing when it is no frame. A message that is not one is left out, and so is one of a kind that is not known yet. */
export function readFrame(text: unknown): Frame | undefined {
  const value = parse(text);
  if (!isRecord(value) || !Array.isArray(value['messages'])) return undefined;
  const { subscriptionId, cursor, messages } = value;
  if (!isOptionalString(subscriptionId) || !isOptionalString(cursor)) return undefined;
  const isWhole = messages.every(isMessage);
  return { subscriptionId, cursor, messages: isWhole ? messages : messages.filter(isMessage) };
}

/** What each kind of message needs before anybody can touch it. */
const CHECKS: ReadonlyMap<string, (message: Readonly<Record<string, unknown>>) => boolean> = new Map([
  ['hello', ({ protocol, heartbeatMs }) => typeof protocol === 'number' && typeof heartbeatMs === 'number'],
  ['event', ({ sessionId, position, event }) => isString(sessionId) && typeof position === 'number' && hasType(event)],
  ['session', ({ session }) => isRecord(session) && isString(session['id'])],
  ['ended', ({ sessionId, events }) => isString(sessionId) && Array.isArray(events) && events.every(hasType)],
  ['gone', ({ sessionId }) => isString(sessionId)],
  ['agent_tool_call', hasRun],
  ['agent_tool_result', hasRun],
  ['agent_output', hasRun],
  ['file_changed', hasRun],
  ['progress_update', hasRun],
  ['live', () => true],
  ['reset', ({ sessionId }) => isOptionalString(sessionId)],
  ['behind', () => true],
  ['reply', ({ commandId, problem }) => isString(commandId) && (problem === undefined || isProblem(problem))],
  ['failed', ({ problem }) => isProblem(problem)],
  ['ping', () => true],
] satisfies readonly (readonly [ServerMessage['type'], (message: Readonly<Record<string, unknown>>) => boolean])[]);

function isMessage(value: unknown): value is ServerMessage {
  return isRecord(value) && isString(value['type']) && CHECKS.get(value['type'])?.(value) === true;
}

function parse(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isOptionalString(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function hasType(value: unknown): boolean {
  return isRecord(value) && isString(value['type']);
}

function hasRun({ runId }: Readonly<Record<string, unknown>>): boolean {
  return isString(runId);
}

function isProblem(value: unknown): boolean {
  return isRecord(value) && isString(value['code']) && isString(value['title']);
}
