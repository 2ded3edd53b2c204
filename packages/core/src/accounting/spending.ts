// What answers come to by themselves, while no total of the agent's covers them.

import type { Usage } from '../event/event.ts';
import { addUsage, isUsed } from '../event/usage.ts';
import type { Answered } from './entries.ts';
import { costOf, type PriceTable } from './prices.ts';

/** An answer as a stream tells it, piece by piece. */
export interface ServedMessage {
  readonly id: string;
  readonly model: string | undefined;
  readonly subagentId: string | undefined;
  readonly time: number | undefined;
  /** Its own time may come with its first whole block. */
  blockTime: number | undefined;
  readonly at: number | undefined;
  usage: Usage | undefined;
  /** Where the agent tells what this one message cost. */
  costUsd: number | undefined;
}

/** What some messages amount to. */
export interface Spending {
  readonly usage: Usage;
  readonly main: Usage;
  readonly costUsd: number;
  /** Some message has a cost of its own or a price; some has only a price; some has neither. */
  readonly priced: boolean;
  readonly estimated: boolean;
  readonly unpriced: boolean;
}

/** Each message once. */
export function spendingOf(messages: ReadonlyMap<string, ServedMessage>, prices: PriceTable): Spending {
  let usage: Usage = {};
  let main: Usage = {};
  let costUsd = 0;
  let unpriced = false;
  let estimated = false;
  let priced = false;
  for (const message of messages.values()) {
    if (!message.usage || !isUsed(message.usage)) continue;
    usage = addUsage(usage, message.usage);
    if (!message.subagentId) main = addUsage(main, message.usage);
    const cost = costOf(message, prices);
    if (cost === undefined) unpriced = true;
    else {
      costUsd += cost;
      priced = true;
      estimated ||= message.costUsd === undefined;
    }
  }
  return { usage, main, costUsd, unpriced, estimated, priced };
}

/** The one model that these messages name, where they name one. */
export function soleModel(messages: ReadonlyMap<string, ServedMessage>): string | undefined {
  const names = new Set([...messages.values()].flatMap(({ model }) => model ?? []));
  const [name] = names;
  return names.size === 1 ? name : undefined;
}

/** A message as the bill's entries are made of it. */
export function answered({ id, time, blockTime, at, model, subagentId, usage, costUsd }: ServedMessage): Answered {
  return { id, time: time ?? blockTime ?? at, model, subagentId, usage, costUsd };
}
