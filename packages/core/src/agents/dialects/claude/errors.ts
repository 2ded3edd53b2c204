// Claude's words for what went wrong and why it stopped → ours.

import type { AgentError, ErrorCode, StopReason } from '../../../event/event.ts';
import { entryOf } from '../../../event/json.ts';
import { codeOfStatus } from '../../errors.ts';

const codeOfWord: Readonly<Record<string, ErrorCode>> = {
  authentication_failed: 'authentication',
  oauth_org_not_allowed: 'authentication',
  cloud_credential_error: 'authentication',
  verification_required: 'authentication',
  billing_error: 'billing',
  account_on_hold: 'billing',
  rate_limit: 'rate_limit',
  overloaded: 'overloaded',
  invalid_request: 'invalid_request',
  model_not_found: 'model_not_found',
  server_error: 'server',
  max_output_tokens: 'unknown',
  prompt_too_long: 'context_full',
  // The API's own words.
  authentication_error: 'authentication',
  permission_error: 'authentication',
  rate_limit_error: 'rate_limit',
  overloaded_error: 'overloaded',
  invalid_request_error: 'invalid_request',
  not_found_error: 'model_not_found',
  api_error: 'server',
  timeout_error: 'timeout',
};

const codeOfSubtype: Readonly<Record<string, ErrorCode>> = {
  error_max_turns: 'max_turns',
  error_max_budget_usd: 'max_budget',
  error_max_structured_output_retries: 'structured_output',
};

const stopReasonOfWord: Readonly<Record<string, StopReason>> = {
  end_turn: 'end_turn',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  tool_use: 'tool_use',
  refusal: 'refusal',
  model_context_window_exceeded: 'context_full',
  pause_turn: 'unknown',
  compaction: 'unknown',
};

export interface ErrorFacts {
  readonly message: string;
  /** Claude's word: an error word, a result's subtype or terminal reason. */
  readonly word?: string | undefined;
  readonly status?: number | undefined;
  readonly fallback?: ErrorCode | undefined;
}

export function errorOf({ message, word, status, fallback }: ErrorFacts): AgentError {
  const ofWord = word === undefined ? undefined : (entryOf(codeOfSubtype, word) ?? entryOf(codeOfWord, word));
  // The CLI says `unknown` for many an error whose status tells more.
  const code = ofWord ?? (status === undefined ? undefined : codeOfStatus(status)) ?? fallback ?? 'unknown';
  return {
    code,
    message,
    ...(word !== undefined && { nativeCode: word }),
    ...(status !== undefined && { httpStatus: status }),
  };
}

/** Our word for a stop reason of the API; nothing when it gave none. */
export function stopReasonOf(word: string | undefined): StopReason | undefined {
  return word === undefined ? undefined : (entryOf(stopReasonOfWord, word) ?? 'unknown');
}
