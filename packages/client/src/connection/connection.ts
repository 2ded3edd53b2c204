// One socket after the other: what was lost is made again, with longer and longer waits while nothing comes of it.

import { type ClientMessage, type Frame, type Hello, PROTOCOL_VERSION, type Problem } from '@tailrace/protocol';
import type { Clock } from '../clock.ts';
import type { Warn } from '../warning.ts';
import { type Link, type LinkEnd, openLink } from './link.ts';
import { retryDelay } from './retry-delay.ts';
import type { ClientStatus } from './status.ts';
import { onWakeUp } from './wake-up.ts';
import type { WebSocketLike } from './web-socket.ts';

export interface ConnectionOptions {
  open(): WebSocketLike;
  /** Asks why no socket comes about, since sockets do not say. Gives what is wrong with who we are, if it is that. */
  whoAmI(): Promise<Problem | undefined>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly warn: Warn;
  /** A socket is open: everything that goes on has to be said anew. */
  onOpen(): void;
  onFrame(frame: Frame): void;
  onStatus(status: ClientStatus): void;
}

export interface Connection {
  readonly status: ClientStatus;
  /** Makes a connection, unless there is one or one is on its way. */
  start(): void;
  /** Says something, if the connection is open. */
  send(message: ClientMessage): void;
  /** Tries again at once, also after a sign-in or where it was given up. */
  reconnect(): void;
  close(): void;
}

export function createConnection(options: ConnectionOptions): Connection {
  const { clock, random, warn } = options;
  let status: ClientStatus = { state: 'idle' };
  let link: Link | undefined;
  /** Tries since something last came of one. */
  let attempt = 0;
  let cancelRetry = (): void => undefined;
  const endWakeUps = onWakeUp(() => {
    if (status.state === 'open') link?.check();
    else if (status.state === 'waiting' || status.state === 'signed-out') reconnect();
  });

  function become(next: ClientStatus): void {
    status = next;
    options.onStatus(next);
  }

  function connect(): void {
    cancelRetry();
    link?.drop();
    const own = openLink({
      open: options.open,
      clock,
      warn,
      onHello: (hello) => greet(hello),
      onFrame(frame) {
        if (frame.messages.some(({ type }) => type !== 'failed' && type !== 'hello')) attempt = 0;
        options.onFrame(frame);
      },
      onEnd: (end) => lose(end),
    });
    link = own;
    become({ state: 'connecting' });
  }

  function greet({ protocol, version }: Hello): void {
    if (protocol !== PROTOCOL_VERSION) {
      link?.drop();
      link = undefined;
      return become({ state: 'incompatible', ours: PROTOCOL_VERSION, theirs: protocol });
    }
    become({ state: 'open', serverVersion: String(version) });
    options.onOpen();
  }

  function lose(end: LinkEnd): void {
    const wasOpen = status.state === 'open';
    link = undefined;
    // Whoever was only too slow goes on at once; but not in circles, when nothing came through at all.
    const delay = end === 'behind' && attempt === 0 ? 0 : retryDelay(attempt, random());
    attempt++;
    cancelRetry = clock.after(delay, connect);
    become({ state: 'waiting', retryAt: clock.now() + delay, attempt });
    if (!wasOpen) void askWhy();
  }

  async function askWhy(): Promise<void> {
    const asked = status;
    const problem = await options.whoAmI().catch(() => undefined);
    if (!problem || status !== asked) return;
    cancelRetry();
    become({ state: 'signed-out', problem });
  }

  function reconnect(): void {
    if (status.state === 'closed' || status.state === 'open' || status.state === 'connecting') return;
    attempt = 0;
    connect();
  }

  return {
    get status() {
      return status;
    },
    start() {
      if (status.state === 'idle') connect();
    },
    send(message) {
      if (status.state === 'open') link?.send(message);
    },
    reconnect,
    close() {
      if (status.state === 'closed') return;
      endWakeUps();
      cancelRetry();
      link?.drop();
      link = undefined;
      become({ state: 'closed' });
    },
  };
}
