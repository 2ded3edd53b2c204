// Announced retries. They have no id: one ends with the next, with the next sign of life, or with the turn.

import type { Outcome } from '../../../event/event.ts';
import { asCount, asList, asNumber, asObject, asText, type Loose } from '../../../event/json.ts';
import { errorOf } from './errors.ts';
import { retractLines } from './retract.ts';
import type { State } from './state.ts';
import { currentTurn } from './turns.ts';
import type { ApiRetryLine, SubagentRetry } from './wire.ts';

export function translateRetry(state: State, line: Loose<ApiRetryLine>): void {
  currentTurn(state);
  endRetry(state, 'error');
  // Some speakers' lines name what the failed attempt had shown.
  const superseded = asList(asObject<{ supersedes: string[] }>(line)?.supersedes);
  if (superseded.length > 0) retractLines(state, superseded, 'retry');
  const word = asText(line.error);
  const status = asNumber(line.error_status);
  state.retry = asCount(line.attempt) ?? 1;
  state.out.write({
    type: 'retry-start',
    attempt: state.retry,
    maxAttempts: asCount(line.max_retries),
    delayMs: asNumber(line.retry_delay_ms),
    error: { ...errorOf({ word, status, message: word ?? 'the model call failed' }), retryable: true },
  });
}

export function endRetry(state: State, outcome: Outcome): void {
  if (state.retry === undefined) return;
  state.out.write({ type: 'retry-end', attempt: state.retry, outcome });
  state.retry = undefined;
}

/** A sub-agent's retries are not announced as the run's own are: nothing waits for them, and they have no end. */
export function noticeRetry(state: State, retry: Loose<SubagentRetry>): void {
  const category = asText(retry.error_category)?.replaceAll('_', ' ');
  const attempt = asCount(retry.attempt);
  const most = asCount(retry.max_retries);
  const many = attempt === undefined ? '' : ` (${attempt}${most === undefined ? '' : ` of ${most}`})`;
  state.out.write({
    type: 'notice',
    severity: 'warning',
    title: `the sub-agent's model call failed${category && category !== 'unknown' ? ` (${category})` : ''}, trying again${many}`,
    nativeCode: 'subagent_retry',
    extra: { claude: { subagentRetry: retry } },
  });
}
