// Codex tells what went wrong in sentences, and that it tries again by the same kind of line.

import type { AgentError, ErrorCode } from '../../event/event.ts';
import { asObject, asText, type Json } from '../../event/json.ts';
import { errorOf } from '../errors.ts';

/** Sentences of its own that the table for all agents does not know. */
const TELLING: readonly (readonly [RegExp, ErrorCode])[] = [
  [/usage limit/i, 'rate_limit'],
  [/at capacity|capacity (?:is )?unavailable|high demand/i, 'overloaded'],
  [/token budget exhausted/i, 'max_budget'],
];

export function readError(message: string): AgentError {
  const body = bodyOf(message);
  const sentence = body?.message ?? message;
  // A sentence tells at its beginning.
  const beginning = sentence.slice(0, 500);
  const code = TELLING.find(([pattern]) => pattern.test(beginning))?.[1];
  const error = errorOf({ message: sentence, code, nativeCode: body?.code });
  // The sentence may tell more than that the request was wrong.
  return body ? { ...error, code: error.code === 'unknown' ? 'invalid_request' : error.code, httpStatus: 400 } : error;
}

interface Body {
  readonly message: string;
  readonly code: string | undefined;
}

/** What the API says is short. */
const MAX_BODY = 20_000;

/** Of a request that the API finds wrong (400, and only then) Codex prints what it said, as JSON. */
function bodyOf(message: string): Body | undefined {
  if (!message.startsWith('{') || message.length > MAX_BODY) return undefined;
  try {
    const body = asObject<{ error: Json }>(JSON.parse(message));
    const error = asObject<{ message: string; code: string; type: string }>(body?.error);
    const sentence = asText(error?.message);
    return sentence === undefined ? undefined : { message: sentence, code: asText(error?.code) ?? asText(error?.type) };
  } catch {
    return undefined;
  }
}

const RETRY = /^Reconnecting\.\.\. (?:(\d{1,6})\/(\d{1,6})|waiting for network)(?: \((.*)\))?$/s;

export interface Retry {
  readonly attempt: number;
  readonly maxAttempts?: number | undefined;
  readonly error?: AgentError | undefined;
}

/** The attempt that an `error` line announces, if it is no failure but `Reconnecting... 1/5 (why)`. Without a network none is counted. */
export function readRetry(message: string): Retry | undefined {
  const found = RETRY.exec(message);
  if (!found) return undefined;
  const [, attempt, maxAttempts, why] = found;
  return {
    attempt: Number(attempt ?? 1),
    maxAttempts: maxAttempts === undefined ? undefined : Number(maxAttempts),
    error: why ? readError(why) : undefined,
  };
}
