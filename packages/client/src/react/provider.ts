// The client that the hooks below it use.

import { createContext, createElement, type ReactElement, type ReactNode, use } from 'react';
import type { Client } from '../client.ts';

const ClientContext = createContext<Client | undefined>(undefined);

export interface TailraceProviderProps {
  /** Made and closed by whoever renders this. */
  readonly client: Client;
  readonly children?: ReactNode;
}

/** Gives a client to all hooks below it. */
export function TailraceProvider({ client, children }: TailraceProviderProps): ReactElement {
  return createElement(ClientContext, { value: client }, children);
}

/** The client of the provider around it. */
export function useClient(): Client {
  const client = use(ClientContext);
  if (!client) throw new Error('there is no <TailraceProvider> around this component');
  return client;
}
