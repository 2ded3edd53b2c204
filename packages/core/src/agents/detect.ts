// Which agent speaks. Messages are held until one of them is sure, or until there is too much to hold back.

import type { Json } from '../event/json.ts';
import type { Agent } from './agent.ts';

/** From here on an agent is taken at its word. */
export const SURE = 0.5;

/** The agent that is surest about these messages, if any is sure enough. */
export function detectAgent(agents: readonly Agent[], messages: readonly Json[]): Agent | undefined {
  let best: Agent | undefined;
  let most = 0;
  for (const agent of agents) {
    const sureness = agent.detect(messages);
    if (sureness > most) {
      most = sureness;
      best = agent;
    }
  }
  return most >= SURE ? best : undefined;
}
