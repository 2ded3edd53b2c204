// How the page stands with its server.

import { useSyncExternalStore } from 'react';
import type { ClientStatus } from '../connection/status.ts';
import { useClient } from './provider.ts';

export function useStatus(): ClientStatus {
  const client = useClient();
  const status = (): ClientStatus => client.status;
  return useSyncExternalStore(client.onStatus, status, status);
}
