// One line for a status bar: model, the session's cost, today's, the running block's, how full the context is.

import { showCost, showDuration, type TranscriptUsage } from '@tailrace/core';
import type { UsageRow, UsageSums } from '@tailrace/store';
import { fitLine } from '../printer/clean.ts';
import { tellPlainly } from '../printer/hidden.ts';

type StatusFacts = NonNullable<ReturnType<NonNullable<TranscriptUsage['readStatus']>>>;

export interface StatusFigures {
  readonly today: UsageSums;
  readonly session: UsageSums;
  readonly block: UsageRow | undefined;
}

/** The line, without its end. What is not known is left out. */
export function statusLine(facts: StatusFacts, { today, session, block }: StatusFigures): string {
  const cost =
    facts.costUsd !== undefined
      ? showCost(facts.costUsd, 'reconciled')
      : // A session that nobody knows has no cost, which is another thing than none.
        session.messages > 0
        ? showCost(session.costUsd, session.costState)
        : '';
  const parts = [
    facts.model ?? '',
    cost && `${cost} session`,
    today.messages > 0 ? `${showCost(today.costUsd, today.costState) || '?'} today` : '',
    block ? blockPart(block) : '',
    contextPart(facts),
  ];
  return fitLine(tellPlainly(parts.filter(Boolean).join(' · ')), 300);
}

function blockPart({ costUsd, costState, burnRate }: UsageRow): string {
  const rate = burnRate && burnRate.usdPerHour !== null ? ` at ${showCost(burnRate.usdPerHour, 'estimated')}/h` : '';
  const left = burnRate ? `, ${showDuration(burnRate.minutesLeft * 60_000)} left` : '';
  return `${showCost(costUsd, costState) || '?'} block${rate}${left}`;
}

function contextPart({ contextUsed, contextSize }: StatusFacts): string {
  if (contextUsed === undefined) return '';
  const share = contextSize ? ` (${Math.round((100 * contextUsed) / contextSize)} %)` : '';
  return `${Math.round(contextUsed / 1000)}k context${share}`;
}
