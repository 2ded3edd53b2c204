// The server is not there: what is on the screen may be no longer so, and nothing that is said arrives. It stands below every screen.

import type { ClientStatus } from '@tailrace/client';
import { useStatus } from '@tailrace/client/react';
import { useRef } from 'react';
import { noteLines } from './screen.tsx';
import type { Line } from './text/line.ts';

/** Whether the server was lost and has not come back; while it is tried again it is still lost. */
export function useLost(): boolean {
  const { state } = useStatus();
  const isLost = useRef(false);
  isLost.current = state === 'waiting' || (state === 'connecting' && isLost.current);
  return isLost.current;
}

export interface LostLook {
  readonly status: ClientStatus;
  readonly isLost: boolean;
  readonly isOwnServer: boolean;
  readonly width: number;
}

/** What is wrong and what helps; no line where nothing is. */
export function lostLines({ status, isLost, isOwnServer, width }: LostLook): readonly Line[] {
  if (status.state === 'incompatible')
    return noteLines('the server speaks another protocol: start a view of its own version', width, 'bad');
  if (!isLost) return [];
  const words = 'the server cannot be reached';
  // Another server has another address, which a view looks for when it is started.
  return noteLines(isOwnServer ? words : `${words}: start the view again, it finds the new one`, width, 'bad');
}
