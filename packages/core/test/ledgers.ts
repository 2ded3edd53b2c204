// Events as a ledger is given them, with no more on them than it looks at.

import { createLedger, type Ledger } from '../src/accounting/ledger.ts';
import type { PriceTable } from '../src/accounting/prices.ts';
import type { AgentStreamEvent, Cost, EventOf, EventType, Usage } from '../src/event/event.ts';

export const PRICES: PriceTable = { opus: { input: 4, output: 20, cacheRead: 0.4, cacheWrite: 5, cacheWrite1h: 8 } };

export type Fields<T extends EventType> = Omit<EventOf<T>, 'type' | 'seq'>;
export const event = <T extends EventType>(type: T, fields: Fields<T>): AgentStreamEvent =>
  ({ type, seq: 0, ...fields }) as unknown as AgentStreamEvent;

export const usage = (inputTokens: number, outputTokens: number, cacheReadTokens = 0, cacheWriteTokens = 0): Usage => ({
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens,
});

export const usd = (amount: number): Cost => ({ amount, currency: 'USD' });

/** An answer from its start to its end. */
export function message(messageId: string, used: Usage, model = 'opus', subagentId?: string): AgentStreamEvent[] {
  const thread = subagentId === undefined ? {} : { subagentId };
  return [
    event('message-start', { messageId, model, ...thread }),
    event('message-end', { messageId, usage: used, ...thread }),
  ];
}

export function ledgerOf(events: readonly AgentStreamEvent[], prices?: PriceTable): Ledger {
  const ledger = createLedger({ prices });
  for (const one of events) ledger.add(one);
  return ledger;
}
