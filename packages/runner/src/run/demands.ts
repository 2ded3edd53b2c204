// What was asked of the agent and waits for its reply.

import { randomUUID } from 'node:crypto';
import type { AgentInput, AgentStreamEvent, Demand, DemandResults } from '@tailrace/core';
import { TailraceError } from '../start/errors.ts';

export interface Demands {
  /** Sends it; settles with the agent's reply, or when the run ends before that. */
  ask<T extends Demand>(demand: T): Promise<DemandResults[T['type']] | undefined>;
  /** True when the event was a reply to one of ours, or something nobody here can do. */
  hear(event: AgentStreamEvent): void;
  /** Nobody will reply any more. */
  end(why: string): void;
}

interface Pending {
  readonly demand: Demand;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** `write` says whether the line could be written. */
export function createDemands(input: AgentInput, write: (line: string) => boolean): Demands {
  const pending = new Map<string, Pending>();
  return {
    ask<T extends Demand>(demand: T): Promise<DemandResults[T['type']] | undefined> {
      const id = randomUUID();
      return new Promise((resolve, reject) => {
        pending.set(id, { demand, resolve: resolve as (value: never) => void, reject });
        if (write(input.demand(demand, id))) return;
        pending.delete(id);
        reject(
          new TailraceError('not-listening', `the agent takes no more input, so "${demand.type}" cannot be asked`),
        );
      });
    },
    hear(event) {
      const heard = input.hear(event);
      if (!heard) return;
      if (heard.kind === 'refuse') {
        write(heard.line);
        return;
      }
      const asked = pending.get(heard.id);
      if (!asked) return;
      pending.delete(heard.id);
      if (heard.error !== undefined) asked.reject(new TailraceError('refused', `${asked.demand.type}: ${heard.error}`));
      else asked.resolve(input.readResult(asked.demand.type, heard.value) as never);
    },
    end(why) {
      for (const { demand, reject } of pending.values())
        reject(new TailraceError('ended', `${demand.type} got no reply: ${why}`));
      pending.clear();
    },
  };
}
