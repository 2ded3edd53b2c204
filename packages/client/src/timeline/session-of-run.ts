// The session that a new run turns out to have.

import type { Client } from '../client.ts';

export interface SessionOfRunOptions {
  /** Nobody waits any more. */
  readonly signal: AbortSignal;
  /** The name that is known and does not count: a run's first events are told under the run's own. */
  readonly besides?: string;
}

/** An agent tells its session after it has begun. Undefined when nobody waits any more. */
export function sessionOfRun(
  client: Pick<Client, 'subscribe'>,
  runId: string,
  { signal, besides }: SessionOfRunOptions,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const subscription = client.subscribe({ view: 'events', runs: [runId] }, (messages) => {
      for (const message of messages)
        if (message.type === 'event' && message.sessionId !== besides) return done(message.sessionId);
    });
    function done(sessionId?: string): void {
      subscription.close();
      resolve(sessionId);
    }
    signal.addEventListener('abort', () => done(), { once: true });
  });
}
