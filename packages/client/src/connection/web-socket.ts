// What is asked of a WebSocket: the part that browsers, Node and the package `ws` have in common.

import { keyProtocol, SOCKET_PROTOCOL } from '@tailrace/protocol';

export interface WebSocketLike {
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close' | 'error', listener: () => void): void;
  send(text: string): void;
  close(): void;
  /** In `ws`: without waiting for the other side. */
  terminate?(): void;
}

/** A browser's own, Node's (22 and newer), or that of `ws`. */
export type WebSocketConstructor = new (url: string, options?: never) => WebSocketLike;

/** Headers can be given in Node alone; browsers have a cookie instead, and name their key as a protocol. */
export function openWebSocket(
  WebSocket: WebSocketConstructor,
  url: string,
  { headers, key }: { readonly headers?: Readonly<Record<string, string>>; readonly key?: string | undefined },
): WebSocketLike {
  // Node's and that of `ws` take options in the place of protocols.
  if (headers) return new WebSocket(url, { headers } as never);
  return key === undefined ? new WebSocket(url) : new WebSocket(url, [SOCKET_PROTOCOL, keyProtocol(key)] as never);
}

/** Lets go of a socket, also of one whose other side is silent. */
export function dropWebSocket(socket: WebSocketLike): void {
  if (socket.terminate) socket.terminate();
  else socket.close();
}
