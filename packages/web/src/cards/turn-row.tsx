import { shortCount } from '@tailrace/client/timeline';
import { type Outcome, type StopReason, showDuration, type TurnPart } from '@tailrace/core';
import type { ReactElement, ReactNode } from 'react';
import { Code } from '../text/code.tsx';
import { Markdown } from '../text/markdown.tsx';
import { PlainText } from '../text/plain-text.tsx';
import { Cost } from '../ui/figures.tsx';
import { SmallRow } from './small-row.tsx';

const STOPS: Readonly<Partial<Record<StopReason, string>>> = {
  max_tokens: 'stopped: the answer was as long as it may be',
  max_turn_requests: 'stopped: it took as many steps as it may',
  max_budget: 'stopped: it cost as much as it may',
  refusal: 'refused to answer',
  content_filter: 'stopped by a content filter',
  context_full: 'stopped: the context is full',
  cancelled: 'stopped',
};

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  success: 'done',
  error: 'ended with an error',
  denied: 'denied',
  cancelled: 'stopped',
  unknown: 'broke off',
};

/** A turn has ended: how, how long it took, and what it took. */
export function TurnRow({ part, tools }: { readonly part: TurnPart; readonly tools?: ReactNode }): ReactElement {
  const { outcome, stopReason, durationMs, cost, usage, error, text, structured } = part;
  const words = (stopReason && STOPS[stopReason]) ?? OUTCOMES[outcome];
  const long = showDuration(durationMs);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {text !== undefined && text !== '' && <Markdown text={text} />}
      {structured !== undefined && (
        <Code text={JSON.stringify(structured, null, 2) ?? ''} language="json" maxLines={40} label="result" />
      )}
      <SmallRow look={lookOf(part)} tools={tools}>
        <span className="flex flex-wrap gap-x-3 figures">
          <span>{`${words}${long === '' ? '' : ` ${outcome === 'success' ? 'in' : 'after'} ${long}`}`}</span>
          {cost && cost.currency === 'USD' && (
            <span className="text-muted">
              <Cost usd={cost.amount} state={cost.estimated ? 'estimated' : 'reconciled'} />
            </span>
          )}
          {usage?.inputTokens !== undefined && (
            <span className="text-muted">{`${shortCount(usage.inputTokens)} in${cachedOf(part)}`}</span>
          )}
          {usage?.outputTokens !== undefined && (
            <span className="text-muted">{`${shortCount(usage.outputTokens)} out`}</span>
          )}
        </span>
        {error && outcome !== 'cancelled' && (
          <span className="block text-text">
            <PlainText text={error.message} isBlock />
          </span>
        )}
      </SmallRow>
    </div>
  );
}

function lookOf({ outcome, stopReason }: TurnPart): 'done' | 'warning' | 'error' | 'unknown' {
  if (outcome === 'success') return stopReason !== undefined && stopReason in STOPS ? 'warning' : 'done';
  return outcome === 'error' || outcome === 'denied' ? 'error' : 'unknown';
}

function cachedOf({ usage }: TurnPart): string {
  const { cacheReadTokens = 0, inputTokens = 0 } = usage ?? {};
  return cacheReadTokens > 0 && inputTokens > 0
    ? ` (${Math.round((100 * cacheReadTokens) / inputTokens)} % cached)`
    : '';
}
