// When a session is told to whoever follows a run: once, with its tools.

import type { AgentStreamEvent } from '@tailrace/core';

export interface Greeting {
  readonly sessionId: string;
  readonly tools: readonly string[];
}

/**
 * Gives for an event the session that is to be told with it: with the tools, where the agent tells them; else when the first turn begins,
 * and again if they come after all.
 */
export function createGreeting(): (event: AgentStreamEvent) => Greeting | undefined {
  let greeted: string | undefined;
  /** As told last: of a further session they are told only where they are others. */
  let tools: readonly string[] | undefined;
  return (event) => {
    const { sessionId } = event;
    const told = event.type === 'session-start' || event.type === 'session-update' ? event.tools : undefined;
    const areLate = tools === undefined && told !== undefined;
    tools = told ?? tools;
    if (sessionId === undefined || (sessionId === greeted && !areLate)) return undefined;
    if (told === undefined && event.type !== 'turn-start' && event.type !== 'session-end') return undefined;
    greeted = sessionId;
    return { sessionId, tools: tools ?? [] };
  };
}
