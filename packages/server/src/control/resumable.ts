// Whether a session can be gone on with: it is known here, is the agent's own, and worked in the project.

import { realpath } from 'node:fs/promises';
import type { Store } from '@tailrace/store';
import { ProblemError } from '../problem-error.ts';
import { isWithin } from './create-projects.ts';
import { CATCH_UP_MS } from './limits.ts';

/** Rejects with a {@link ProblemError} when it cannot. `folder` is the real folder of the project. */
export async function mustBeResumable(
  store: Store,
  { sessionId, agent, folder }: { readonly sessionId: string; readonly agent: string; readonly folder: string },
): Promise<void> {
  const session = (await store.history.session(sessionId)) ?? (await lookAgain(store, sessionId));
  if (!session) throw new ProblemError('not-found', 'there is no such session to go on with');
  if (session.agent !== agent)
    throw new ProblemError('bad-request', `the session is one of ${session.agent}, not of ${agent}`);
  if (session.cwd === null) return;
  const real = await realpath(session.cwd).catch(() => undefined);
  if (real === undefined || !isWithin(folder, real))
    throw new ProblemError('refused', 'the session belongs to another project');
}

/** It may have begun just now. */
async function lookAgain(store: Store, sessionId: string): ReturnType<Store['history']['session']> {
  await store.history.catchUp({ waitMs: CATCH_UP_MS, signal: AbortSignal.timeout(CATCH_UP_MS) });
  return store.history.session(sessionId);
}
