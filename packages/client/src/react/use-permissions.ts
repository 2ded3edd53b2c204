// What waits for the person, live.

import type { Answer } from '@tailrace/core';
import { ClientError } from '../errors.ts';
import {
  noPermissions,
  type PermissionsSource,
  type PermissionsView,
  startPermissions,
  type WaitingRequest,
} from './permissions.ts';
import { useClient } from './provider.ts';
import { sharedStore } from './shared-stores.ts';
import { useLive } from './use-live.ts';

export interface Permissions extends PermissionsView {
  /**
   * Answers a request as it is shown. True when this was the answer; false when one was given before, here or elsewhere. Where it
   * rejects, the request can be answered again.
   */
  answer(request: WaitingRequest, answer: Answer): Promise<boolean>;
}

/** All requests of all runs of the server that nobody has answered. */
export function usePermissions(): Permissions {
  const client = useClient();
  const store = sharedStore<PermissionsView, PermissionsSource>(client, ['permissions'], noPermissions, (touch) =>
    startPermissions(client, touch),
  );
  return {
    ...useLive(store),
    answer: (request, answer) =>
      store.source?.answer(request, answer) ?? Promise.reject(new ClientError('closed', 'the request is not shown')),
  };
}
