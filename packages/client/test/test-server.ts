// A small real server that speaks the protocol: it has a list of lines, packs them into frames in any way that is allowed, and can cut
// its connections in the three ways in which they break.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  type ClientMessage,
  type CommandMessage,
  clientMessage,
  createProblem,
  decodeCursor,
  encodeCursor,
  type Frame,
  frame as frameSchema,
  PROTOCOL_VERSION,
  type Reply,
  type ServerMessage,
  type Subscribe,
} from '@tailrace/protocol';
import { type WebSocket, WebSocketServer } from 'ws';

/** `clean`: a closing handshake; `reset`: the other side is gone at once; `half-open`: it says nothing any more, and does not go. */
export type Cut = 'clean' | 'reset' | 'half-open';
export const CUTS: readonly Cut[] = ['clean', 'reset', 'half-open'];

export interface Line {
  readonly position: number;
  readonly messages: readonly ServerMessage[];
}

export interface TestServerOptions {
  readonly port?: number;
  readonly heartbeatMs?: number;
  readonly protocol?: number;
  /** How many messages of the lines that follow the next frame takes; it may end inside of the first of them. 1 and more. */
  readonly frameSize?: () => number;
  /** Whether a subscription begins with a frame that says where it stands. */
  readonly saysWhereItBegins?: boolean;
  /** What is answered over HTTP. */
  readonly route?: (
    request: IncomingMessage,
    body: string,
  ) => { readonly status?: number; readonly body: unknown } | undefined;
  readonly reply?: (message: CommandMessage) => Omit<Reply, 'type' | 'commandId'> | undefined;
}

/** One client's socket. */
interface Peer {
  readonly headers: IncomingMessage['headers'];
  readonly heard: readonly ClientMessage[];
  readonly subscriptions: ReadonlyMap<string, Subscribe>;
  send(frame: Frame): void;
  sendText(text: string): void;
  cut(how: Cut): void;
}

export interface TestServer {
  readonly url: string;
  readonly epoch: string;
  readonly peers: readonly Peer[];
  /** All connections there ever were. */
  readonly connections: number;
  /** Everything that clients said, the bad things too. */
  readonly refused: readonly string[];
  readonly commands: readonly CommandMessage[];
  /** Is asked after each frame: whether and how the connection breaks now. */
  cutAfter: (frames: number) => Cut | undefined;
  /** Subscriptions are heard and not answered. */
  isMute: boolean;
  /** How connections break right after hello. */
  cutAtHello: Cut | undefined;
  /** Clients are turned away at the door. */
  isSignedOut: boolean;
  add(...messages: readonly (readonly ServerMessage[])[]): void;
  /** Another epoch: cursors of the old one are void. */
  restart(lines: readonly Line[]): void;
  close(): Promise<void>;
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const {
    heartbeatMs = 15_000,
    protocol = PROTOCOL_VERSION,
    frameSize = () => 100,
    saysWhereItBegins = true,
  } = options;
  let epoch = 'epoch-1';
  let lines: Line[] = [];
  let frames = 0;
  let connections = 0;
  const peers = new Set<Peer & { pump(): void }>();
  const sockets = new Set<Socket>();
  const refused: string[] = [];
  const commands: CommandMessage[] = [];

  const server = createServer((request, response) => void answer(request, response));
  const socketServer = new WebSocketServer({ noServer: true });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (request, socket, head) => {
    if (self.isSignedOut) return void socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
    socketServer.handleUpgrade(request, socket, head, (one) => welcome(one, request, socket as Socket));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    const own = self.isSignedOut
      ? { status: 401, body: createProblem('unauthenticated') }
      : options.route?.(request, body);
    const { status = 200, body: value } = own ?? { status: 404, body: createProblem('not-found') };
    response.writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' });
    response.end(JSON.stringify(value));
  }

  function welcome(socket: WebSocket, request: IncomingMessage, wire: Socket): void {
    connections++;
    const heard: ClientMessage[] = [];
    const subscriptions = new Map<string, Subscribe>();
    /** The line that a subscription has got all of, and how many messages of the next one. */
    const places = new Map<string, { position: number; sent: number }>();
    let isDead = false;

    const peer = {
      headers: request.headers,
      heard,
      subscriptions,
      sendText(text: string) {
        if (!isDead) socket.send(text);
      },
      send(frame: Frame) {
        peer.sendText(JSON.stringify(frameSchema.parse(frame)));
        const cut = isDead || frame.subscriptionId === undefined ? undefined : self.cutAfter(++frames);
        if (cut) peer.cut(cut);
      },
      cut(how: Cut) {
        isDead = true;
        peers.delete(peer);
        if (how === 'clean') socket.close(1001);
        // After what was written is on its way: what is cut off is what comes after it.
        else if (how === 'reset') wire.write('', () => wire.resetAndDestroy());
      },
      pump() {
        for (const id of subscriptions.keys()) pump(id);
      },
    };
    peers.add(peer);

    function pump(subscriptionId: string): void {
      const place = places.get(subscriptionId);
      while (place && !isDead) {
        const rest = lines.filter(({ position }) => position > place.position);
        if (rest.length === 0) return;
        const frame = pack(rest, place, frameSize());
        peer.send({ subscriptionId, cursor: encodeCursor({ epoch, position: place.position }), messages: frame });
      }
    }

    function begin(wanted: Subscribe): void {
      const { subscriptionId, cursor, sessions } = wanted;
      subscriptions.set(subscriptionId, wanted);
      const known = cursor === undefined ? undefined : decodeCursor(cursor);
      const isVoid = cursor !== undefined && known?.epoch !== epoch;
      const last = lines.at(-1)?.position ?? 0;
      const position = known && !isVoid ? known.position : sessions ? 0 : last;
      places.set(subscriptionId, { position, sent: 0 });
      const own = encodeCursor({ epoch, position });
      if (isVoid) peer.send({ subscriptionId, messages: [{ type: 'reset', epoch }] });
      if (saysWhereItBegins) peer.send({ subscriptionId, cursor: own, messages: [] });
      pump(subscriptionId);
      const place = places.get(subscriptionId);
      if (place && !isDead)
        peer.send({
          subscriptionId,
          cursor: encodeCursor({ epoch, position: place.position }),
          messages: [{ type: 'live' }],
        });
    }

    socket.on('error', () => undefined);
    socket.on('close', () => peers.delete(peer));
    socket.on('message', (data) => {
      if (isDead) return;
      const message = clientMessage.safeParse(JSON.parse(String(data)));
      if (!message.success) return void refused.push(String(data));
      heard.push(message.data);
      if (self.isMute) return;
      if (message.data.type === 'subscribe') begin(message.data);
      else if (message.data.type === 'unsubscribe') {
        subscriptions.delete(message.data.subscriptionId);
        places.delete(message.data.subscriptionId);
      } else if (message.data.type === 'command') {
        commands.push(message.data);
        const reply = options.reply?.(message.data);
        if (reply) peer.send({ messages: [{ type: 'reply', commandId: message.data.commandId, ...reply }] });
      }
    });
    peer.send({ messages: [{ type: 'hello', protocol, version: '0.0.0', epoch, heartbeatMs }] });
    if (self.cutAtHello) peer.cut(self.cutAtHello);
  }

  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const self = {
    url: `http://127.0.0.1:${port}`,
    get epoch() {
      return epoch;
    },
    get peers() {
      return [...peers];
    },
    get connections() {
      return connections;
    },
    refused,
    commands,
    cutAfter: (_: number): Cut | undefined => undefined,
    cutAtHello: undefined as Cut | undefined,
    isSignedOut: false,
    isMute: false,
    add(...added: readonly (readonly ServerMessage[])[]) {
      for (const messages of added) lines.push({ position: (lines.at(-1)?.position ?? 0) + 1, messages });
      for (const peer of [...peers]) peer.pump();
    },
    restart(next: readonly Line[]) {
      epoch = `${epoch}+`;
      lines = [...next];
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return self;
}

/**
 * The messages of the next frame: whole lines, or a part of the first one. Moves the place behind them. One that is `loose` may also
 * move the cursor over lines without messages and begin the line after them.
 */
export function pack(
  rest: readonly Line[],
  place: { position: number; sent: number },
  size: number,
  isLoose = false,
): readonly ServerMessage[] {
  const messages: ServerMessage[] = [];
  const before = place.position;
  for (const line of rest) {
    const own = line.messages.slice(place.sent);
    const room = size - messages.length;
    const isPart = own.length > room;
    if (isPart && (messages.length > 0 || (!isLoose && place.position !== before))) break;
    messages.push(...own.slice(0, room));
    if (isPart) {
      place.sent += room;
      break;
    }
    place.position = line.position;
    place.sent = 0;
  }
  return messages;
}
