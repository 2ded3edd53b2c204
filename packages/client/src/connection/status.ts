// How the client stands with its server.

import type { Problem } from '@tailrace/protocol';

export type ClientStatus =
  /** Nothing was asked of the socket yet. */
  | { readonly state: 'idle' }
  | { readonly state: 'connecting' }
  | { readonly state: 'open'; readonly serverVersion: string }
  /** The connection was lost; it is made again at `retryAt`, in epoch milliseconds. */
  | { readonly state: 'waiting'; readonly retryAt: number; readonly attempt: number }
  /** The server does not know us, or lets us not in: it is tried again after a sign-in, or by `reconnect`. */
  | { readonly state: 'signed-out'; readonly problem: Problem }
  /** Another protocol is spoken there. A page has to be loaded anew, a program to be updated. */
  | { readonly state: 'incompatible'; readonly ours: number; readonly theirs: number }
  | { readonly state: 'closed' };
