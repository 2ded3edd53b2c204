// A client as simple as one can be: it keeps what it is sent, and when it is cut off it comes again with its last cursor.

import type { Frame, Subscribe } from '@tailrace/protocol';
import type { Hub } from '../../src/feed/hub.ts';
import type { Outlet } from '../../src/feed/outlet.ts';
import { createHolding, type Holding } from './holding.ts';

export interface Reader {
  readonly holding: Holding;
  /** After so many frames it is cut off by itself. */
  deafAfter: number;
  /** Comes, or comes again. */
  join(): Promise<void>;
  /** Is cut off: nothing more is heard. */
  cut(): void;
}

export function createReader(hub: Hub, wanted: Omit<Subscribe, 'type' | 'subscriptionId'>): Reader {
  const holding = createHolding();
  let outlet: Outlet | undefined;
  const reader: Reader = {
    holding,
    deafAfter: Number.POSITIVE_INFINITY,
    async join() {
      reader.cut();
      const own = createOutlet((text) => {
        if (own !== outlet) return;
        holding.hear(JSON.parse(text) as Frame);
        if (--reader.deafAfter <= 0) reader.cut();
      });
      outlet = own;
      holding.join();
      const cursor = holding.cursor ?? wanted.cursor;
      await hub.subscribe({ type: 'subscribe', subscriptionId: 's', ...wanted, cursor }, own);
    },
    cut() {
      if (outlet) hub.leave(outlet);
      outlet = undefined;
      reader.deafAfter = Number.POSITIVE_INFINITY;
    },
  };
  return reader;
}

function createOutlet(hear: (text: string) => void): Outlet {
  return {
    queuedBytes: 0,
    isGone: false,
    send: (frame) => hear(Buffer.from(frame as Uint8Array).toString()),
    drained: () => new Promise((resolve) => setImmediate(resolve)),
    letGo() {},
  };
}
