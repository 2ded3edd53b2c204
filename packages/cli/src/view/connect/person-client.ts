// A client that signs in as a person does in the page: with a code, a cookie and a key. All of it stays in memory.

import { type Client, createClient, type WebSocketConstructor } from '@tailrace/client';
import { WebSocket } from 'ws';

/** Nobody is signed in yet: its status tells so, and `client.http.signIn` does it. */
export function personClient(url: string): Client {
  const { origin } = new URL(url);
  let cookie: string | undefined;
  const own = (): Record<string, string> => ({ origin, ...(cookie !== undefined && { cookie }) });

  class PersonSocket extends WebSocket {
    constructor(address: string, protocols?: string[]) {
      super(address, protocols ?? [], { headers: own() });
    }
  }

  return createClient({
    url,
    async fetch(input, init) {
      const headers = new Headers(init?.headers);
      for (const [name, value] of Object.entries(own())) headers.set(name, value);
      const response = await fetch(input, { ...init, headers });
      const [told] = response.headers.getSetCookie();
      if (told !== undefined) cookie = told.split(';', 1)[0];
      return response;
    },
    // Of `ws` only what a browser's has is used.
    WebSocket: PersonSocket as unknown as WebSocketConstructor,
  });
}
