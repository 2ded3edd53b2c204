// The figures of a session: tokens, cost, turns, and what they are made of. Each says how sure it is.

import { shortCount } from '@tailrace/client/timeline';
import { type Conversation, type FigureState, type Summary, showCost, showDuration } from '@tailrace/core';
import type { SessionInfo } from '@tailrace/protocol';
import { column, type Line, span, strong } from '../text/line.ts';
import { shownLine } from '../text/shown.ts';
import { bar } from './side-lines.ts';

const CERTAINTY: Readonly<Record<FigureState, string>> = {
  reconciled: "agrees with the agent's own figure",
  estimated: 'estimated from a price table',
  known: 'at least this: some of it is not known yet',
  unknown: 'not known',
};

const LABEL = 18;

export interface FigureParts {
  readonly session: SessionInfo;
  readonly conversation: Conversation;
  /** Nothing until the server has told it. */
  readonly summary: Summary | undefined;
  readonly width: number;
}

/** From here on there is room beside a figure for how sure it is. */
const HAS_ROOM = 64;

export function figureLines({ session, conversation, summary, width }: FigureParts): readonly Line[] {
  const { usage, costUsd, costState, turns, startedAt, endedAt } = session;
  const { context } = conversation;
  const cost = showCost(costUsd, costState);
  const lines: Line[] = [
    ...sure([strong(column('Cost', LABEL)), strong(cost || '—')], costState, width),
    [],
    ...sure([strong('Tokens')], usage.state, width),
    count('in', usage.inputTokens),
    count('of that cached', usage.cacheReadTokens, share(usage.cacheReadTokens, usage.inputTokens)),
    count('written to cache', usage.cacheWriteTokens),
    count('out', usage.outputTokens),
    count('of that thought', usage.reasoningTokens),
    [],
    [strong(column('Turns', LABEL)), span(String(turns))],
    ...(summary ? [count('steps', summary.steps)] : []),
    ...fact(
      'took',
      showDuration(summary?.durationMs ?? (startedAt !== null && endedAt !== null ? endedAt - startedAt : null)),
    ),
  ];
  if (context?.used !== undefined && context.size)
    lines.push(
      [],
      [
        strong(column('Context', LABEL)),
        ...bar(context.used / context.size, 20),
        span(`  ${shortCount(context.used)} of ${shortCount(context.size)}`),
      ],
    );
  if (summary) lines.push(...modelLines(summary), ...toolLines(summary), ...troubleLines(summary));
  return lines.filter((line, at) => line.length > 0 || (lines[at - 1]?.length ?? 0) > 0);
}

/** A figure with how sure it is, beside it or below. */
function sure(line: Line, state: FigureState, width: number): readonly Line[] {
  const words = span(`  ${CERTAINTY[state]}`, 'muted');
  return width >= HAS_ROOM ? [[...line, words]] : [line, [words]];
}

function count(label: string, value: number | null | undefined, more = ''): Line {
  if (!value) return [];
  return [
    span(`  ${column(label, LABEL - 2)}`, 'muted'),
    span(value.toLocaleString('en').padStart(11)),
    span(more === '' ? '' : `  ${more}`, 'muted'),
  ];
}

function share(part: number | undefined, whole: number | undefined): string {
  return part && whole ? `${Math.round((100 * part) / whole)} %` : '';
}

function fact(label: string, text: string): readonly Line[] {
  return text === '' ? [] : [[span(`  ${column(label, LABEL - 2)}`, 'muted'), span(text.padStart(11))]];
}

function modelLines({ models, costState }: Summary): readonly Line[] {
  const names = Object.entries(models);
  if (names.length === 0) return [];
  return [
    [],
    [strong('Models')],
    ...names.map(
      ([name, { inputTokens = 0, outputTokens = 0, costUsd }]): Line => [
        span(`  ${column(shownLine(name), 28)} `),
        span(`${shortCount(inputTokens).padStart(6)} in ${shortCount(outputTokens).padStart(6)} out  `, 'muted'),
        span(showCost(costUsd, costState)),
      ],
    ),
  ];
}

function toolLines({ toolCalls }: Summary): readonly Line[] {
  const tools = new Map<string, { calls: number; failed: number }>();
  for (const { name, outcome } of toolCalls) {
    const one = tools.get(name) ?? { calls: 0, failed: 0 };
    tools.set(name, { calls: one.calls + 1, failed: one.failed + (outcome === 'error' ? 1 : 0) });
  }
  if (tools.size === 0) return [];
  return [
    [],
    [strong('Tools'), span(`  ${toolCalls.length} calls`, 'muted')],
    ...[...tools]
      .sort(([, a], [, b]) => b.calls - a.calls)
      .map(
        ([name, { calls, failed }]): Line => [
          span(`  ${column(shownLine(name), 28)} `),
          span(String(calls).padStart(6)),
          span(failed > 0 ? `  ${failed} failed` : '', 'bad'),
        ],
      ),
  ];
}

function troubleLines({ retries, compactions, permissionDenials, lines }: Summary): readonly Line[] {
  const unread = lines.unknown + lines.notJson + lines.tooLong + lines.tooDeep + lines.cutOff + lines.spliced;
  const found = [
    count('retries', retries),
    count('denials', permissionDenials),
    count('compactions', compactions),
    count('lines not understood', unread),
  ].filter((line) => line.length > 0);
  return found.length === 0 ? [] : [[], [strong('Trouble')], ...found];
}
