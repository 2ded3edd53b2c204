// The bill taken apart adds up to the bill, in every state and whoever tells first.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../proof/counts.ts';
import type { Ledger } from '../src/accounting/ledger.ts';
import type { Usage } from '../src/event/event.ts';
import {
  type AgentStreamEvent,
  agents,
  createDecoder,
  createLedger,
  createSession,
  type PriceTable,
} from '../src/index.ts';
import { costOf, counted, sumOf } from './bill.ts';
import { captures, inTurn, interleaved, PRICES, type StreamEvents, streamsOf } from './captures.ts';
import { recordingsOf } from './recordings.ts';

/** What is wrong with the entries of a ledger; nothing when they are as they should be. */
function faultsOf(ledger: Ledger): string[] {
  const entries = ledger.entries();
  const { usage, costUsd } = ledger.figures();
  const faults: string[] = [];
  const differ = (what: string, a: unknown, b: unknown): void => {
    if (JSON.stringify(a) !== JSON.stringify(b))
      faults.push(`${what}: ${JSON.stringify(a)} is not ${JSON.stringify(b)}`);
  };
  const sorted = (one: Usage): Usage => Object.fromEntries(Object.entries(one).sort());
  differ('the sum', sorted(sumOf(entries)), sorted(counted(usage)));
  if (Math.abs((costOf(entries) ?? 0) - (costUsd ?? 0)) > 1e-9) faults.push(`cost ${costOf(entries)} for ${costUsd}`);
  for (const [model, figure] of ledger.models()) {
    const own = entries.filter((entry) => (entry.model ?? 'unknown') === model);
    differ(model, sorted(sumOf(own)), sorted(counted(figure.usage)));
    if (costUsd !== undefined && Math.abs((costOf(own) ?? 0) - (figure.costUsd ?? 0)) > 1e-9)
      faults.push(`cost of ${model}: ${costOf(own)} for ${figure.costUsd}`);
  }
  if (new Set(entries.map(({ id }) => id)).size !== entries.length) faults.push('an id comes twice');
  for (const { id, usage: one, costUsd: cost } of entries) {
    if (Object.values(one).some((count) => count < 0) || (cost ?? 0) < 0) faults.push(`${id} is below zero`);
    if ((one.cacheReadTokens ?? 0) + (one.cacheWriteTokens ?? 0) > (one.inputTokens ?? 0))
      faults.push(`${id} has more in its caches than in all`);
  }
  return faults;
}

function faultsInEveryState(ledger: Ledger, events: readonly AgentStreamEvent[]): string[] {
  for (const event of events) {
    ledger.add(event);
    if (!/^(turn|message|step|usage|session)-/.test(event.type)) continue;
    const faults = faultsOf(ledger);
    if (faults.length > 0) return [`after ${event.type}`, ...faults];
  }
  return [];
}

/** Events of a session's streams in some order, and its bill after each that may change it. */
function faultsInFold(
  streams: readonly StreamEvents[],
  order: readonly number[],
  prices: PriceTable | undefined,
): string[] {
  const session = createSession({ prices });
  const next = streams.map(() => 0);
  for (const index of order) {
    const one = streams[index];
    const event = one?.events[next[index] ?? 0];
    next[index] = (next[index] ?? 0) + 1;
    if (!one || !event) continue;
    session.add(one.stream, event);
    if (!/^(turn|usage|session)-|message-end/.test(event.type)) continue;
    const faults = faultsOf(session.ledger);
    if (faults.length > 0) return [`after ${event.type} of ${one.stream.id}`, ...faults];
  }
  return [];
}

describe.each(captures)('claude/$name', (one) => {
  const streams = streamsOf(one);

  test('the entries of each stream add up to its figures, in every state', () => {
    for (const { events } of streams)
      for (const prices of [undefined, PRICES])
        expect(faultsInEveryState(createLedger({ prices }), events)).toEqual([]);
  });

  test('the entries of the session add up to its bill in any interleaving', () => {
    expect(faultsInFold(streams, inTurn(streams), undefined)).toEqual([]);
    expect(faultsInFold(streams, inTurn(streams, [...streams.keys()].reverse()), PRICES)).toEqual([]);
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        expect(faultsInFold(streams, interleaved(streams, seed), PRICES)).toEqual([]);
      }),
      { numRuns: counts.interleavings },
    );
  });
});

describe.each(agents.filter(({ name }) => name !== 'claude'))('$name', (agent) => {
  test.each(recordingsOf(agent.name))(
    'the entries of $name add up to its figures, in every state',
    ({ bytes, exit }) => {
      const decoder = createDecoder({ agent });
      const events = [...decoder.feed(bytes), ...decoder.end(exit)];
      expect(faultsInEveryState(createLedger(), events)).toEqual([]);
      expect(faultsInEveryState(createLedger({ keepAnswers: false }), events)).toEqual([]);
    },
  );
});
