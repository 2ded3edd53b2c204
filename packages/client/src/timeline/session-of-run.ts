// The session that a new run turns out to have.

import type { Client } from '../client.ts';

/** An agent tells its session after it has begun. Undefined when nobody waits any more. */
export function sessionOfRun(
  client: Pick<Client, 'subscribe'>,
  runId: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const subscription = client.subscribe({ view: 'events', runs: [runId] }, (messages) => {
      for (const message of messages) if (message.type === 'event') return done(message.sessionId);
    });
    function done(sessionId?: string): void {
      subscription.close();
      resolve(sessionId);
    }
    signal.addEventListener('abort', () => done(), { once: true });
  });
}
