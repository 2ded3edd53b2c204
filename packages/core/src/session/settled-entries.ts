// The bill of a session taken apart: each answer once, as the stream tells it that knows most of it; what totals tell beyond them
// is theirs.

import { type Answered, entriesOfSpan, entryOfAnswer, type LedgerEntry, type Span } from '../accounting/entries.ts';
import type { PriceTable } from '../accounting/prices.ts';
import { isUsed } from '../event/usage.ts';
import { isInRun, isInSettled, type Settled } from './settle.ts';
import type { FileTotal, Run, Served } from './told.ts';

/** `answers` are all that were told; without a cost for the whole, no total has one. */
export function entriesOf(
  settled: Settled,
  answers: ReadonlyMap<string, Served>,
  hasCost: boolean,
  prices: PriceTable,
): readonly LedgerEntry[] {
  const free = new Set([...answers.values()].filter(({ usage }) => isUsed(usage)));
  for (const answer of settled.rest) free.delete(answer);
  const spans = settled.runs.flatMap((run) => spansOf(run, free, answers));
  for (const file of settled.files) {
    const own = [...free].filter((answer) => isInSettled(file, answer));
    for (const answer of own) free.delete(answer);
    spans.push(spanOf(file, own.map(answered)));
  }
  return [
    ...spans.flatMap((span) => entriesOfSpan(hasCost ? span : { ...span, costUsd: undefined }, prices)),
    // What a run has counted though no total covers it, and what nobody has counted.
    ...[...settled.runs.flatMap((run) => run.settled?.spans().open ?? []), ...settled.rest.map(answered)].flatMap(
      (answer) => entryOfAnswer(answer, prices) ?? [],
    ),
  ];
}

/** A run's totals with its answers; those that it did not show are of the first total after them. */
function spansOf(run: Run, free: Set<Served>, answers: ReadonlyMap<string, Served>): Span[] {
  const { totals, open } = run.settled?.spans() ?? { totals: [], open: [] };
  const shown = totals.map((span) => span.answers.map((answer) => better(answer, answers)));
  for (const { id } of [...totals.flatMap((span) => span.answers), ...open]) {
    const answer = answers.get(id);
    if (answer) free.delete(answer);
  }
  for (const answer of [...free].filter((one) => isInRun(run, one))) {
    const index = totals.findIndex(({ time }) => (time ?? 0) >= answer.time);
    shown.at(index)?.push(answered(answer));
    free.delete(answer);
  }
  return totals.map((span, index) => ({ ...span, answers: shown[index] ?? [] }));
}

/** Stdout tells how an answer began; a file how it ended. */
function better(answer: Answered, answers: ReadonlyMap<string, Served>): Answered {
  const known = answers.get(answer.id);
  return known ? { ...answered(known), costUsd: answer.costUsd ?? known.costUsd } : answer;
}

function answered({ id, time, isTimed, at, model, subagentId, usage, costUsd }: Served): Answered {
  return { id, time: isTimed ? time : time || at, model, subagentId, usage, costUsd };
}

/** The totals of a file with the answers that they are made of. */
function spanOf({ since, at, event }: FileTotal, own: readonly Answered[]): Span {
  const models = Object.entries(event.models ?? {}).map(
    ([model, { cost, ...usage }]) => [model, { usage, costUsd: cost?.amount }] as const,
  );
  const time = event.time ?? (at > 0 ? at : event.at);
  return { key: String(since), time, usage: event.usage ?? {}, models, costUsd: event.cost?.amount, answers: own };
}
