import type { Client } from '@tailrace/client';
import { forgetUnsent } from '../ui/unsent.ts';
import { tell } from './note.ts';

export async function signOut(client: Client): Promise<void> {
  try {
    await client.http.signOut();
    forgetUnsent();
    client.reconnect();
  } catch {
    tell('You are still signed in: the server does not answer.');
  }
}
