// A plain client that goes on: when its connection breaks, or nothing is heard for some heartbeats, it comes again with its cursors.

import type { Frame, Subscribe } from '@tailrace/protocol';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { createHolding, type Holding } from '../feed/holding.ts';
import type { Headers } from './house.ts';

/** A server that says nothing for so many heartbeats is taken for gone. */
const SILENT_HEARTBEATS = 3;
/** So long it waits for the first word. */
const HELLO_MS = 1_000;

export interface Follower {
  readonly holdings: ReadonlyMap<string, Holding>;
  readonly isLive: boolean;
  /** With what its connections ended. */
  readonly ends: readonly number[];
  listen(subscriptionId: string, wanted: Omit<Subscribe, 'type' | 'subscriptionId'>): Holding;
  close(): void;
}

export interface FollowerOptions {
  readonly host: () => string;
  readonly headers: () => Headers;
}

export function createFollower({ host, headers }: FollowerOptions): Follower {
  const wants = new Map<string, Omit<Subscribe, 'type' | 'subscriptionId'>>();
  const holdings = new Map<string, Holding>();
  const ends: number[] = [];
  let socket: WebSocket | undefined;
  let isReady = false;
  let isClosed = false;
  let silence: NodeJS.Timeout | undefined;
  let patienceMs = HELLO_MS;

  function say(message: object): void {
    if (isReady && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  }

  function subscribe(subscriptionId: string): void {
    const holding = holdings.get(subscriptionId);
    if (!isReady || !holding) return;
    holding.join();
    const { cursor } = holding;
    const wanted = wants.get(subscriptionId);
    say({ type: 'subscribe', subscriptionId, ...wanted, ...(cursor !== undefined && { cursor }) });
  }

  function hear({ subscriptionId, ...frame }: Frame): void {
    if (subscriptionId !== undefined) return holdings.get(subscriptionId)?.hear(frame);
    for (const message of frame.messages) {
      if (message.type === 'ping') say({ type: 'pong' });
      else if (message.type === 'hello') {
        patienceMs = SILENT_HEARTBEATS * message.heartbeatMs;
        listenForSilence();
        isReady = true;
        for (const id of holdings.keys()) subscribe(id);
      }
    }
  }

  function open(): void {
    if (isClosed) return;
    const own = new WebSocket(`ws://${host()}/ws`, { headers: { ...headers() } });
    socket = own;
    isReady = false;
    patienceMs = HELLO_MS;
    listenForSilence();
    own.on('message', (data) => {
      if (own !== socket) return;
      listenForSilence();
      hear(JSON.parse(String(data)) as Frame);
    });
    own.on('error', () => undefined);
    own.on('close', (code) => {
      if (own !== socket) return;
      ends.push(code);
      clearTimeout(silence);
      isReady = false;
      setImmediate(open);
    });
  }

  function listenForSilence(): void {
    clearTimeout(silence);
    silence = setTimeout(() => socket?.terminate(), patienceMs);
  }

  function close(): void {
    isClosed = true;
    clearTimeout(silence);
    socket?.terminate();
  }

  onTestFinished(close);
  open();
  return {
    holdings,
    ends,
    get isLive() {
      return isReady && [...holdings.values()].every((one) => one.isLive);
    },
    listen(subscriptionId, wanted) {
      const holding = createHolding();
      wants.set(subscriptionId, wanted);
      holdings.set(subscriptionId, holding);
      subscribe(subscriptionId);
      return holding;
    },
    close,
  };
}
