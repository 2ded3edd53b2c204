// One socket as a client has it: all that comes is kept, and it can be waited for.

import {
  type ClientMessage,
  frame,
  MAX_FRAME_BYTES,
  type ServerMessage,
  type ServerMessageType,
} from '@tailrace/protocol';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Headers } from './house.ts';

type Frame = ReturnType<typeof frame.parse>;
type MessageOf<T extends ServerMessageType> = Extract<ServerMessage, { readonly type: T }>;

export interface Peer {
  readonly socket: WebSocket;
  readonly frames: readonly Frame[];
  readonly messages: readonly ServerMessage[];
  /** With what it was closed; nothing while it is open. */
  readonly closed: { readonly code: number; readonly reason: string } | undefined;
  say(message: ClientMessage | object): void;
  /** All messages of a kind, of one subscription where it is named. */
  all<T extends ServerMessageType>(type: T, subscriptionId?: string): readonly MessageOf<T>[];
  /** Waits until something holds, which can only come about by a frame or the end. */
  until(isSo: (peer: Peer) => unknown): Promise<Peer>;
  /** The first message of a kind that fits, as soon as it is there. */
  find<T extends ServerMessageType>(type: T, isIt?: (message: MessageOf<T>) => unknown): Promise<MessageOf<T>>;
}

export interface PeerOptions {
  /** Answers pings; it does unless told otherwise. */
  readonly isAnswering?: boolean;
}

/** Connects, and waits for the first word. */
export async function connect(host: string, headers: Headers, options: PeerOptions = {}): Promise<Peer> {
  const peer = createPeer(new WebSocket(`ws://${host}/ws`, { headers: { ...headers } }), options);
  await peer.find('hello');
  return peer;
}

function createPeer(socket: WebSocket, { isAnswering = true }: PeerOptions): Peer {
  const frames: Frame[] = [];
  const messages: ServerMessage[] = [];
  const looks = new Set<() => void>();
  let closed: Peer['closed'];
  let failure: Error | undefined;
  const look = (): void => {
    for (const one of [...looks]) one();
  };
  socket.on('message', (data, isBinary) => {
    const bytes = data as Buffer;
    // Every word that is said is one of the protocol.
    const read = isBinary ? undefined : frame.safeParse(JSON.parse(bytes.toString()));
    if (!read?.success) return fail(`not of the protocol: ${bytes.toString().slice(0, 1000)}`);
    if (bytes.length > MAX_FRAME_BYTES) return fail(`a frame of ${bytes.length} bytes`);
    frames.push(read.data);
    messages.push(...read.data.messages);
    if (isAnswering && read.data.messages.some(({ type }) => type === 'ping')) peer.say({ type: 'pong' });
    look();
  });
  function fail(message: string): void {
    failure ??= new Error(message);
    socket.terminate();
  }
  socket.on('error', (error) => {
    failure ??= error;
  });
  socket.on('close', (code, reason) => {
    closed = { code, reason: reason.toString() };
    look();
  });
  onTestFinished(() => socket.terminate());

  const peer: Peer = {
    socket,
    frames,
    messages,
    get closed() {
      return closed;
    },
    say(message) {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
    },
    all: (type, subscriptionId) =>
      (subscriptionId === undefined
        ? messages
        : frames.filter((one) => one.subscriptionId === subscriptionId).flatMap((one) => one.messages)
      ).filter((message) => message.type === type) as never,
    until: (isSo) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (isSo(peer)) {
            looks.delete(check);
            resolve(peer);
          } else if (closed) {
            looks.delete(check);
            reject(new Error(`closed with ${closed.code} ${failure?.message ?? closed.reason} before: ${isSo}`));
          }
        };
        looks.add(check);
        check();
      }),
    async find(type, isIt = () => true) {
      const found = (): ServerMessage | undefined => peer.all(type).find((message) => isIt(message));
      await peer.until(found);
      return found() as never;
    },
  };
  return peer;
}
