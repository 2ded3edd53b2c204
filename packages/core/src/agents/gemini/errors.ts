// What went wrong, by Gemini's own words: the name of an error's class, a tool's error type, a sentence, or what the API said.

import type { AgentError, ErrorCode, StopReason } from '../../event/event.ts';
import { asNumber, asObject, asText, entryOf, type Json } from '../../event/json.ts';
import { errorOf } from '../errors.ts';
import type { GeminiError } from './wire.ts';

/** The names of classes, in `result`. */
const CLASSES: Readonly<Record<string, ErrorCode>> = {
  FatalAuthenticationError: 'authentication',
  FatalInputError: 'invalid_request',
  FatalConfigError: 'invalid_request',
  FatalUntrustedWorkspaceError: 'permission',
  FatalTurnLimitedError: 'max_turns',
  FatalCancellationError: 'cancelled',
};

/** The types of a tool's errors, in `tool_result`. */
const TOOL_ERRORS: Readonly<Record<string, ErrorCode>> = {
  policy_violation: 'denied',
  tool_not_registered: 'tool_not_found',
  invalid_tool_params: 'invalid_input',
  permission_denied: 'permission',
  path_not_in_workspace: 'permission',
};

/** Sentences that come without a word. */
const TELLING: readonly (readonly [string, ErrorCode])[] = [
  ['Maximum session turns exceeded', 'max_turns'],
  ['The model response was blocked', 'content_filter'],
  ['API key not valid', 'authentication'],
  ['models/', 'model_not_found'],
  ['You have exhausted your', 'rate_limit'],
];

/** An error from its sentence and, where there is one, its type. */
export function readError(message: string, type?: string): AgentError {
  const api = apiError(message);
  const sentence = api?.message ?? message;
  return errorOf({
    message: sentence,
    nativeCode: api?.status ?? (type === 'unknown' ? undefined : type),
    status: api?.code,
    code: entryOf(CLASSES, type) ?? TELLING.find(([beginning]) => sentence.startsWith(beginning))?.[1],
  });
}

/** The `error` field of a `result`. */
export function runError(value: Json): AgentError | undefined {
  const error = asObject<GeminiError>(value);
  const type = asText(error?.type);
  const message = asText(error?.message) ?? type;
  return message === undefined ? undefined : readError(message, type);
}

/** The `error` field of a `tool_result`. What its sentence says of a status is not the model's. */
export function toolError(value: Json): AgentError | undefined {
  const error = asObject<GeminiError>(value);
  const nativeCode = asText(error?.type);
  const message = asText(error?.message) ?? nativeCode;
  if (message === undefined) return undefined;
  const code = entryOf(TOOL_ERRORS, nativeCode) ?? (NOBODY_TO_ASK.test(message) ? 'denied' : 'unknown');
  return { code, message, ...(nativeCode !== undefined && { nativeCode }) };
}

/** Said where a policy wants a person to be asked. */
const NOBODY_TO_ASK = /^Tool execution for "[^"]{0,200}" requires user confirmation/;

interface ApiError {
  readonly message: string;
  readonly code?: number | undefined;
  readonly status?: string | undefined;
}

const API_PREFIX = '[API Error: ';
/** What the API says is short; nobody parses a page of HTML. */
const MAX_API_ERROR = 20_000;

/** What the API said, from `[API Error: what it said]`, which may be its JSON and may be followed by advice. */
function apiError(message: string): ApiError | undefined {
  const end = message.lastIndexOf(']');
  if (!message.startsWith(API_PREFIX) || end < 0) return undefined;
  const said = message.slice(API_PREFIX.length, end);
  return (said.length <= MAX_API_ERROR && jsonError(said)) || { message: said };
}

function jsonError(text: string): ApiError | undefined {
  try {
    const body = asObject<{ error: Json }>(JSON.parse(text));
    const error = asObject<{ message: string; code: number; status: string }>(body?.error);
    const message = asText(error?.message);
    return message === undefined ? undefined : { message, code: asNumber(error?.code), status: asText(error?.status) };
  } catch {
    return undefined;
  }
}

const STOP_REASONS: Readonly<Partial<Record<ErrorCode, StopReason>>> = {
  max_turns: 'max_turn_requests',
  content_filter: 'content_filter',
  context_full: 'context_full',
  cancelled: 'cancelled',
};

/** Why it stopped, if this error is why. */
export function stopReasonOf(error: AgentError | undefined): StopReason | undefined {
  if (error?.message.startsWith('Model response was truncated')) return 'max_tokens';
  return error && STOP_REASONS[error.code];
}
