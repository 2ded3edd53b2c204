// Which session a person means.

import { type Agent, agents } from '@tailrace/core';
import type { Store } from '@tailrace/store';
import { UsageError } from '../failure.ts';

/** The session whose id begins so; `last` is the newest. */
export async function findSession(store: Store, wanted: string | undefined): Promise<string> {
  if (wanted === undefined) throw new UsageError('which session? Give the beginning of its id, or "last"');
  if (wanted === 'last') {
    const [newest] = await store.history.sessions({ limit: 1 });
    if (!newest) throw new UsageError('there is no session yet');
    return newest.id;
  }
  const ids = await store.history.resolve(wanted);
  const [id] = ids;
  if (id === undefined) throw new UsageError(`there is no session ${wanted}`);
  if (ids.length > 1 && !ids.includes(wanted))
    throw new UsageError(`${wanted} could be any of ${ids.join(', ')}: give more of the id`);
  return ids.includes(wanted) ? wanted : id;
}

/** The agent that a session is of. */
export function agentOf(name: string | undefined): Agent {
  const agent = agents.find((one) => one.name === name);
  if (!agent) throw new Error(`nobody knows the agent ${name ?? ''}`);
  return agent;
}
