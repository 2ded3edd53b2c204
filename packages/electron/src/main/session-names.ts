// Under which id a session travels. Apps keep these as keys, so each is a UUID, and a session keeps the one it was first told by.

import { sessionUuid } from '@tailrace/protocol';

export interface SessionNames {
  /** The id by which windows are told of a session: the agent's own where that is a UUID, else that of the first run in it. */
  tell(agent: string, own: string, runId: string): string;
  /** The agent's own id of a session that was told by this one. */
  ownOf(told: string): string;
}

export function createSessionNames(): SessionNames {
  const told = new Map<string, string>();
  const own = new Map<string, string>();
  return {
    tell(agent, id, runId) {
      if (sessionUuid.safeParse(id).success) return id;
      const key = JSON.stringify([agent, id]);
      const known = told.get(key);
      if (known !== undefined) return known;
      told.set(key, runId);
      own.set(runId, id);
      return runId;
    },
    ownOf: (id) => own.get(id) ?? id,
  };
}
