// One subscription of one client, and how far it has heard.

import type { Subscribe } from '@tailrace/protocol';
import type { Outlet } from './outlet.ts';
import type { Wanted } from './wanted.ts';

export interface Listener {
  readonly subscriptionId: string;
  readonly subscribe: Subscribe;
  readonly outlet: Outlet;
  /** Settled anew when what was told is no longer so. */
  wanted: Wanted;
  /** Nothing more is sent to it. */
  isOver: boolean;
}
