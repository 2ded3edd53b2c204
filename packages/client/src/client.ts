// The client: one socket for everything that is live, and calls over HTTP for the rest.

import type { Command, Frame, Problem } from '@tailrace/protocol';
import { type Clock, systemClock } from './clock.ts';
import { type CommandOptions, type CommandResult, createCommands } from './commands.ts';
import { createConnection } from './connection/connection.ts';
import type { ClientStatus } from './connection/status.ts';
import { openWebSocket, type WebSocketConstructor } from './connection/web-socket.ts';
import { ClientError, errorOf, isClientError } from './errors.ts';
import {
  createSubscriptions,
  type FeedListener,
  type SubscribeOptions,
  type Subscription,
} from './feed/subscriptions.ts';
import { createRequests } from './http/request.ts';
import { createHttp, type Http } from './http/routes.ts';
import { serverUrl, socketUrl } from './server-url.ts';
import { createSignInKey } from './sign-in-key.ts';
import { createWarn, type Warning } from './warning.ts';

export interface ClientOptions {
  /** The server: `http://127.0.0.1:7317`. In a browser that of the page, unless set; no address is ever read for another. */
  readonly url?: string | undefined;
  /** For programs. A page in a browser has a cookie instead, and cannot send a token by a socket. */
  readonly token?: string | undefined;
  /** That of the package `ws` where there is none (Node before 22). */
  readonly WebSocket?: WebSocketConstructor | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly clock?: Clock | undefined;
  /** From 0 to 1: waits are different for each client. */
  readonly random?: (() => number) | undefined;
  /** Told of what went wrong and stopped nothing. */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
}

export interface Client {
  readonly http: Http;
  readonly status: ClientStatus;
  /** Called whenever the status changes; gives back what ends that. */
  onStatus(listener: (status: ClientStatus) => void): () => void;
  /** Listens until it is closed, over all breaks of the connection. */
  subscribe(options: SubscribeOptions, listener: FeedListener): Subscription;
  /** Asks something of runs. It is done once, and said again after each break until its reply comes. */
  command(command: Command, options?: CommandOptions): Promise<CommandResult>;
  /** Tries at once, where the connection waits, was refused or was given up. */
  reconnect(): void;
  /** For good. */
  close(): void;
}

/**
 * Makes a client. It connects when something is listened to or asked.
 *
 * @example
 * const client = createClient({ url: 'http://127.0.0.1:7317', token, WebSocket });
 * client.subscribe({ view: 'events', sessions: [id] }, (messages) => console.log(messages));
 */
export function createClient(options: ClientOptions = {}): Client {
  const { token, clock = systemClock, random = Math.random } = options;
  const server = serverUrl(options.url);
  const fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const warn = createWarn(options.onWarning);
  const key = createSignInKey();
  const requests = createRequests({ server, token, key: key.get, fetch });
  const http = createHttp(requests);
  const subscriptions = createSubscriptions((message) => connection.send(message), warn);
  const commands = createCommands((message) => connection.send(message));
  const listeners = new Set<(status: ClientStatus) => void>();

  const connection = createConnection({
    open: () =>
      openWebSocket(
        options.WebSocket ?? globalThis.WebSocket,
        socketUrl(server),
        token === undefined ? { key: key.get() } : { headers: { authorization: `Bearer ${token}` } },
      ),
    whoAmI: async () => {
      const problem = await http.health().then(() => undefined, problemOf);
      return problem && (problem.code === 'unauthenticated' || problem.code === 'refused') ? problem : undefined;
    },
    clock,
    random,
    warn,
    onOpen() {
      subscriptions.open();
      commands.open();
    },
    onFrame: take,
    onStatus: tell,
  });

  function take(frame: Frame): void {
    if (frame.subscriptionId !== undefined) return subscriptions.take(frame);
    for (const message of frame.messages) {
      if (message.type === 'reply') commands.take(message);
      else if (message.type === 'failed') warn('failed', errorOf(message.problem).message, message.problem);
    }
  }

  function tell(status: ClientStatus): void {
    if (status.state !== 'open') {
      subscriptions.lose();
      commands.lose();
    }
    // What nobody will hear must not wait for ever, and an answer must not be given by whoever signs in next.
    if (status.state === 'signed-out') commands.failAll(errorOf(status.problem));
    if (status.state === 'incompatible')
      commands.failAll(new ClientError('unavailable', 'the server speaks another protocol'));
    for (const listener of [...listeners]) {
      try {
        listener(status);
      } catch (error) {
        warn('listener', 'a listener threw', error);
      }
    }
  }

  function checkOpen(): void {
    if (connection.status.state === 'closed') throw new ClientError('closed', 'the client is closed');
  }

  return {
    http: {
      ...http,
      async signIn(code, more) {
        const reply = await http.signIn(code, more);
        key.set(reply.key);
        connection.reconnect();
        return reply;
      },
      async signOut(more) {
        await http.signOut(more);
        key.set(undefined);
      },
    },
    get status() {
      return connection.status;
    },
    onStatus(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    subscribe(wanted, listener) {
      checkOpen();
      const subscription = subscriptions.add(wanted, listener);
      connection.start();
      return subscription;
    },
    async command(command, more) {
      checkOpen();
      connection.start();
      return commands.run(command, more);
    },
    reconnect: connection.reconnect,
    close() {
      connection.close();
      requests.close();
      subscriptions.closeAll();
      commands.failAll(new ClientError('closed', 'the client was closed'));
      listeners.clear();
    },
  };
}

function problemOf(error: unknown): Problem | undefined {
  return isClientError(error) ? error.problem : undefined;
}
