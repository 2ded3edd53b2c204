// The door for sockets: the same guard as for everything, then limits, a heartbeat, and the client's part.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  createProblem,
  HEARTBEAT_MS,
  type Hello,
  MAX_CLIENT_MESSAGE_BYTES,
  MAX_QUEUED_BYTES,
  MAX_SOCKETS,
  PROTOCOL_VERSION,
  type Problem,
  type Reply,
  SOCKET_PROTOCOL,
} from '@tailrace/protocol';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Audit } from '../control/audit.ts';
import type { Once } from '../control/once.ts';
import type { Runs } from '../control/runs.ts';
import type { Hub } from '../feed/hub.ts';
import type { Caller, Guard } from '../guard/guard.ts';
import { knockOf } from '../http/knock-of.ts';
import { createSocketClient } from './client.ts';
import { CLOSED_AWAY, CLOSED_OUT, LET_GO_MS } from './limits.ts';
import { createOutlet, type SocketOutlet } from './outlet.ts';

export interface Sockets {
  /** For the server's `upgrade`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes the sockets of somebody who may no longer have any. */
  drop(callerId: string): void;
  readonly count: number;
  close(): Promise<void>;
}

export interface SocketsParts {
  readonly guard: Guard;
  readonly hub: Hub;
  readonly runs: Runs;
  readonly once: Once<Reply['result']>;
  readonly audit: Audit;
  readonly version: string;
  epoch(): Promise<string>;
  readonly heartbeatMs?: number | undefined;
}

const PATH = '/ws';

interface Open {
  readonly socket: WebSocket;
  readonly outlet: SocketOutlet;
  readonly caller: Caller;
  /** Heartbeats since it was last heard of. */
  missed: number;
}

export function createSockets(parts: SocketsParts): Sockets {
  const { guard, hub, runs, once, audit, version, heartbeatMs = HEARTBEAT_MS } = parts;
  const door = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: MAX_CLIENT_MESSAGE_BYTES,
    // What is asked for beside it is a key, which nobody is told again.
    handleProtocols: (asked) => (asked.has(SOCKET_PROTOCOL) ? SOCKET_PROTOCOL : false),
  });
  const open = new Set<Open>();
  let isClosing = false;
  const beat = setInterval(heartbeat, heartbeatMs);
  beat.unref();

  function heartbeat(): void {
    for (const one of open) {
      if (one.missed >= 2) one.socket.terminate();
      else {
        one.missed++;
        one.outlet.send('{"messages":[{"type":"ping"}]}');
      }
    }
    hub.sayCursors();
  }

  async function welcome(socket: WebSocket, caller: Caller): Promise<void> {
    const outlet = createOutlet(socket);
    const one: Open = { socket, outlet, caller, missed: 0 };
    open.add(one);
    // It is told what was wrong, and has a while to read it.
    socket.on('error', () => setTimeout(() => socket.terminate(), LET_GO_MS).unref());
    // Whoever asks and does not read must not fill our memory with answers.
    socket.on('ping', (data) => (outlet.queuedBytes > MAX_QUEUED_BYTES ? outlet.letGo() : socket.pong(data)));
    socket.once('close', () => {
      open.delete(one);
      hub.leave(outlet);
    });
    const client = createSocketClient({ caller, outlet, hub, runs, once });
    socket.on('message', (data, isBinary) => {
      one.missed = 0;
      client.hear(isBinary ? undefined : data.toString());
    });
    const hello: Hello = {
      type: 'hello',
      protocol: PROTOCOL_VERSION,
      version,
      epoch: await parts.epoch(),
      heartbeatMs,
    };
    outlet.send(JSON.stringify({ messages: [hello] }));
  }

  function socketsOf(callerId: string): readonly Open[] {
    return [...open].filter(({ caller }) => caller.id === callerId);
  }

  return {
    upgrade(request, socket, head) {
      // It may break while it is looked at.
      socket.on('error', () => socket.destroy());
      const knock = knockOf(request, true);
      const verdict = guard.check(knock);
      const path = knock.target.split('?', 1)[0];
      if (!verdict.isLetIn) return turnAway(verdict.problem);
      const { caller } = verdict;
      if (path !== PATH) return turnAway(createProblem('not-found'), caller);
      if (!caller.rights.has('read')) return turnAway(createProblem('refused'), caller);
      if (socketsOf(caller.id).length >= MAX_SOCKETS) return turnAway(createProblem('too-many'), caller);
      if (isClosing) return turnAway(createProblem('unavailable'), caller);
      door.handleUpgrade(request, socket, head, (ready) => {
        welcome(ready, caller).catch(() => ready.terminate());
      });

      function turnAway({ code, detail, status }: Problem, who?: Caller): void {
        audit.write({ action: 'socket', caller: who?.id, result: code, detail });
        refuse(socket, status);
      }
    },
    drop(callerId) {
      for (const { outlet } of socketsOf(callerId)) outlet.close(CLOSED_OUT, 'signed out');
    },
    get count() {
      return open.size;
    },
    async close() {
      isClosing = true;
      clearInterval(beat);
      const all = [...open];
      const closed = all.map(({ socket }) => new Promise((done) => socket.once('close', done)));
      for (const { outlet } of all) outlet.close(CLOSED_AWAY, 'the server ends');
      await Promise.all(closed);
    },
  };
}

const REASONS: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** Without a word more than the number. */
function refuse(socket: Duplex, status: number): void {
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Forbidden'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    () => socket.destroy(),
  );
}
