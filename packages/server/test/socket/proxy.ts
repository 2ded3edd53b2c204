// Stands between a client and the server, and cuts what comes from the server after so many bytes, in one of three ways.

import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export const CUTS = ['closed', 'reset', 'half-open'] as const;
export type Cut = (typeof CUTS)[number];

export interface Proxy {
  readonly port: number;
  readonly cuts: number;
  readonly connections: number;
  /** After so many bytes the next connection is cut; never, unless set. */
  bytesOf: () => number;
}

export async function startProxy(target: () => number, how: Cut): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let cuts = 0;
  let connections = 0;

  function hold(socket: Socket): Socket {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  }

  function cut(outer: Socket, inner: Socket): void {
    cuts++;
    outer.removeAllListeners('data');
    inner.removeAllListeners('data');
    switch (how) {
      case 'closed':
        outer.end();
        inner.end();
        break;
      case 'reset':
        outer.resetAndDestroy();
        inner.resetAndDestroy();
        break;
      case 'half-open':
        // Both ends stay, and neither hears of the other again.
        outer.removeAllListeners('close');
        inner.removeAllListeners('close');
        outer.pause();
        inner.pause();
        break;
    }
  }

  const server = createServer((outer) => {
    connections++;
    let left = proxy.bytesOf();
    const inner = hold(connect(target(), '127.0.0.1'));
    hold(outer);
    outer.on('data', (chunk) => inner.write(chunk));
    inner.on('data', (chunk) => {
      const some = chunk.subarray(0, left);
      left -= chunk.length;
      if (left > 0) {
        outer.write(some);
        return;
      }
      // Cut when it is on its way, or a reset would take it back.
      inner.pause();
      outer.write(some, () => cut(outer, inner));
    });
    outer.on('close', () => inner.destroy());
    inner.on('close', () => outer.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as { readonly port: number };
  const proxy: Proxy = {
    port,
    get cuts() {
      return cuts;
    },
    get connections() {
      return connections;
    },
    bytesOf: () => Number.POSITIVE_INFINITY,
  };
  return proxy;
}
