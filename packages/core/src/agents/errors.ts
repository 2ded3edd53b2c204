// What went wrong, from what an HTTP status or a sentence tells: most agents have no word of their own for it.

import type { AgentError, ErrorCode } from '../event/event.ts';

/** The code for an HTTP status. */
export function codeOfStatus(status: number): ErrorCode | undefined {
  switch (status) {
    case 400:
      return 'invalid_request';
    case 401:
    case 403:
      return 'authentication';
    case 402:
      return 'billing';
    case 404:
      return 'model_not_found';
    case 408:
      return 'timeout';
    case 413:
      return 'context_full';
    case 429:
      return 'rate_limit';
    case 503:
    case 529:
      return 'overloaded';
    default:
      return status >= 500 && status < 600 ? 'server' : undefined;
  }
}

/** Sentences of providers and agents that carry no status. The first that fits counts. */
const TELLING: readonly (readonly [RegExp, ErrorCode])[] = [
  [/context (?:window|length)|maximum context|prompt is too long|too many tokens/i, 'context_full'],
  [/quota|billing|insufficient[ _]credit|payment required/i, 'billing'],
  [/rate[ _-]?limit|too many requests/i, 'rate_limit'],
  [/overloaded/i, 'overloaded'],
  [/api[ _-]?key|unauthori[sz]ed|authenticat|not logged in|log ?in\b/i, 'authentication'],
  [/safety|content[ _-]filter|blocked by/i, 'content_filter'],
  [/model\b[^.]{0,60}\b(?:not found|does not exist|not supported)/i, 'model_not_found'],
  [/timed? ?out/i, 'timeout'],
  [/stream disconnected|terminated|econn|enotfound|fetch failed|socket|network|connection/i, 'network'],
  [/cancel|abort|interrupt/i, 'cancelled'],
];

const STATUS = /(?:^|[^\d.:])([45]\d\d)(?![\d.])/;
/** A sentence tells near its beginning; nobody searches a page of HTML for it. */
const LOOKED_AT = 2_000;

/** The HTTP status that a sentence names, if it names one. */
export function statusIn(message: string): number | undefined {
  const found = STATUS.exec(message.slice(0, LOOKED_AT));
  return found ? Number(found[1]) : undefined;
}

export interface ErrorFacts {
  readonly message: string;
  /** The agent's own word for it. */
  readonly nativeCode?: string | undefined;
  readonly status?: number | undefined;
  /** What the agent's own word means, where it has one that tells. */
  readonly code?: ErrorCode | undefined;
  readonly retryable?: boolean | undefined;
}

/** An error from what is known of it: the agent's word counts before the status, the status before the sentence. */
export function errorOf({ message, nativeCode, status = statusIn(message), code, retryable }: ErrorFacts): AgentError {
  const told =
    code ?? (status === undefined ? undefined : codeOfStatus(status)) ?? codeOfSentence(message) ?? 'unknown';
  return {
    code: told,
    message,
    ...(nativeCode !== undefined && { nativeCode }),
    ...(status !== undefined && { httpStatus: status }),
    ...(retryable !== undefined && { retryable }),
  };
}

function codeOfSentence(message: string): ErrorCode | undefined {
  const beginning = message.slice(0, LOOKED_AT);
  return TELLING.find(([pattern]) => pattern.test(beginning))?.[1];
}
