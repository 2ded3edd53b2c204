// The life of one socket, from its making to its end. A link ends once, and says nothing after that.

import type { ClientMessage, Frame, Hello } from '@tailrace/protocol';
import type { Clock } from '../clock.ts';
import { HELLO_MS, LONGEST_HEARTBEAT_MS, SILENT_HEARTBEATS } from '../limits.ts';
import type { Warn } from '../warning.ts';
import { readFrame } from './read-frame.ts';
import { dropWebSocket, type WebSocketLike } from './web-socket.ts';

/** `closed`: by the other side, or it never came about; `silent`: nothing was heard; `behind`: we were too slow. */
export type LinkEnd = 'closed' | 'silent' | 'behind';

export interface LinkOptions {
  open(): WebSocketLike;
  readonly clock: Clock;
  readonly warn: Warn;
  onHello(hello: Hello): void;
  /** After hello: everything but heartbeats. */
  onFrame(frame: Frame): void;
  onEnd(end: LinkEnd): void;
}

export interface Link {
  send(message: ClientMessage): void;
  /** Without a word to `onEnd`. */
  drop(): void;
  /** Looks whether the other side has been silent for too long: a page that slept has missed the hour. */
  check(): void;
}

export function openLink({ open, clock, warn, onHello, onFrame, onEnd }: LinkOptions): Link {
  let socket: WebSocketLike | undefined;
  let isOver = false;
  let hasHello = false;
  let heardAt = clock.now();
  let patienceMs = HELLO_MS;
  let cancelCheck = clock.after(patienceMs, check);

  function check(): void {
    if (isOver) return;
    const leftMs = heardAt + patienceMs - clock.now();
    if (leftMs <= 0) return end('silent');
    cancelCheck();
    cancelCheck = clock.after(leftMs, check);
  }

  function drop(): void {
    if (isOver) return;
    isOver = true;
    cancelCheck();
    if (socket) dropWebSocket(socket);
  }

  function end(how: LinkEnd): void {
    if (isOver) return;
    drop();
    onEnd(how);
  }

  function send(message: ClientMessage): void {
    if (!isOver) socket?.send(JSON.stringify(message));
  }

  function hear({ data }: { readonly data: unknown }): void {
    if (isOver) return;
    heardAt = clock.now();
    const frame = readFrame(data);
    if (!frame) return warn('not-a-frame', 'the server sent something that is no frame');
    if (frame.subscriptionId === undefined) hearServer(frame);
    else if (hasHello) onFrame(frame);
  }

  /** What is about the socket itself. */
  function hearServer(frame: Frame): void {
    for (const message of frame.messages) {
      if (isOver) return;
      if (message.type === 'hello') welcome(message);
      else if (message.type === 'ping') send({ type: 'pong' });
      else if (message.type === 'behind') return end('behind');
    }
    if (hasHello && !isOver) onFrame(frame);
  }

  function welcome(hello: Hello): void {
    hasHello = true;
    const heartbeatMs =
      hello.heartbeatMs > 0 ? Math.min(hello.heartbeatMs, LONGEST_HEARTBEAT_MS) : LONGEST_HEARTBEAT_MS;
    patienceMs = heartbeatMs * SILENT_HEARTBEATS;
    check();
    onHello(hello);
  }

  try {
    socket = open();
    socket.addEventListener('message', hear);
    socket.addEventListener('close', () => end('closed'));
    // Its close follows. That somebody listens keeps `ws` from throwing.
    socket.addEventListener('error', () => undefined);
  } catch (error) {
    warn('no-socket', 'a socket could not be made', error);
    // Not before whoever opened it has it in hand.
    cancelCheck();
    cancelCheck = clock.after(0, () => end('closed'));
  }
  return { send, drop, check };
}
