// Frames → a WebSocket. What waits is counted, so that nobody's memory is filled by somebody who does not read.

import type { WebSocket } from 'ws';
import type { Outlet } from '../feed/outlet.ts';
import { CLOSED_BEHIND, LET_GO_MS } from './limits.ts';

export interface SocketOutlet extends Outlet {
  close(code: number, reason: string): void;
}

export function createOutlet(socket: WebSocket): SocketOutlet {
  let waiting: { readonly bytes: number; done(): void }[] = [];
  let isGone = false;

  function look(): void {
    const ready = waiting.filter(({ bytes }) => isGone || socket.bufferedAmount <= bytes);
    waiting = waiting.filter((one) => !ready.includes(one));
    for (const { done } of ready) done();
  }

  function leave(): void {
    isGone = true;
    look();
  }

  function close(code: number, reason: string): void {
    leave();
    socket.close(code, reason);
    // It may never read that far.
    setTimeout(() => socket.terminate(), LET_GO_MS).unref();
  }

  socket.once('close', leave);

  return {
    get isGone() {
      return isGone;
    },
    get queuedBytes() {
      return socket.bufferedAmount;
    },
    send(frame) {
      if (!isGone) socket.send(frame, { binary: false }, look);
    },
    drained(bytes) {
      if (isGone || socket.bufferedAmount <= bytes) return Promise.resolve();
      return new Promise((done) => waiting.push({ bytes, done }));
    },
    letGo() {
      if (isGone) return;
      const queuedBytes = socket.bufferedAmount;
      socket.send(JSON.stringify({ messages: [{ type: 'behind', queuedBytes }] }));
      close(CLOSED_BEHIND, 'the client reads too slowly');
    },
    close,
  };
}
