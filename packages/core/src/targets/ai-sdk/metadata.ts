// What is known of the whole message: told with its start, again when a part of it changes, and at its end.

import type { Cost, EventOf, Usage } from '../../event/event.ts';
import { addUsage } from '../../event/usage.ts';
import type { AgentMetadata, Send } from './chunk.ts';
import { told } from './told.ts';

type SessionEvent = EventOf<'session-start' | 'session-update'>;

export interface Metadata {
  /** Everything that is known. */
  all(): AgentMetadata;
  /** Sends what has changed; nothing before the message has started. */
  tell(): void;
  session(event: SessionEvent): void;
  turn(event: EventOf<'turn-end'>): void;
  usage(event: EventOf<'usage-update'>): void;
  end(event: EventOf<'session-end'>): void;
  /** The agent's name of the session, which some tell late. */
  sessionId(id: string | undefined): void;
}

export function createMetadata(send: Send): Metadata {
  let known: AgentMetadata = {};
  let changed: AgentMetadata = {};
  /** Whether the figures are the session's own, or the turns' so far, added up. */
  let isUsageWhole = false;
  let isCostWhole = false;

  function put(facts: AgentMetadata): void {
    const news = Object.entries(facts).filter(([key, value]) => {
      const before: unknown = Object.hasOwn(known, key) ? Reflect.get(known, key) : undefined;
      return value !== undefined && JSON.stringify(before) !== JSON.stringify(value);
    });
    known = { ...known, ...Object.fromEntries(news) };
    changed = { ...changed, ...Object.fromEntries(news) };
  }

  function tellFigures(usage: Usage | undefined, cost: Cost | undefined): void {
    isUsageWhole ||= usage !== undefined;
    isCostWhole ||= cost !== undefined;
    put(told({ usage, cost }));
  }

  return {
    all: () => known,
    tell() {
      if (Object.keys(changed).length > 0) send({ type: 'message-metadata', messageMetadata: changed });
      changed = {};
    },
    session(event) {
      const { agentVersion, model, cwd, permissionMode } = event;
      const more = event.type === 'session-start' ? { agent: event.agent } : { title: event.title };
      put(told({ agentVersion, model, cwd, permissionMode, ...more }));
    },
    turn({ outcome, stopReason, error, usage, cost, durationMs }) {
      put(told({ outcome, stopReason, error, durationMs }));
      if (usage && !isUsageWhole) put({ usage: addUsage(known.usage ?? {}, usage) });
      if (cost && !isCostWhole) put({ cost: addCost(known.cost, cost) });
    },
    usage({ scope, usage, cost, contextUsed: used, contextSize: size }) {
      if (scope === 'session') tellFigures(usage, cost);
      if (scope === 'context') put({ context: { ...known.context, ...told({ used, size }) } });
    },
    end({ outcome, error, usage, cost }) {
      put(told({ outcome, error }));
      tellFigures(usage, cost);
    },
    sessionId(sessionId) {
      if (sessionId !== undefined && sessionId !== known.sessionId) put({ sessionId });
    },
  };
}

/** Money of another currency is not added: the last one told stands. */
function addCost(sum: Cost | undefined, cost: Cost): Cost {
  if (sum?.currency !== cost.currency) return cost;
  const isEstimated = sum.estimated || cost.estimated;
  return { amount: sum.amount + cost.amount, currency: cost.currency, ...(isEstimated && { estimated: true }) };
}
