// A connection byte by byte: handshakes that no client would send, and frames that none should.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ServerMessage } from '@tailrace/protocol';
import { onTestFinished } from 'vitest';
import type { Headers } from './house.ts';

/** A frame of the server. */
interface RawFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

export interface RawConnection {
  readonly socket: Socket;
  /** The status of the answer; nothing until it is there, or when there was none. */
  readonly status: number | undefined;
  readonly head: string;
  readonly frames: readonly RawFrame[];
  readonly messages: readonly ServerMessage[];
  /** The code that the server closes with. */
  readonly code: number | undefined;
  readonly isClosed: boolean;
  /** Waits until something holds; false when the connection ends before. */
  until(isSo: (raw: RawConnection) => unknown): Promise<boolean>;
}

/** Opens a connection and says this on it. */
export async function speak(port: number, bytes: string | Uint8Array): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const looks = new Set<() => void>();
  let heard = Buffer.alloc(0);
  let isClosed = false;
  const look = (): void => {
    for (const one of [...looks]) one();
  };
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    heard = Buffer.concat([heard, chunk]);
    look();
  });
  socket.on('close', () => {
    isClosed = true;
    look();
  });
  await once(socket, 'connect');
  socket.write(bytes);

  const headEnd = (): number => heard.indexOf('\r\n\r\n');
  const raw: RawConnection = {
    socket,
    get status() {
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(raw.head)?.[1];
      return status === undefined ? undefined : Number(status);
    },
    get head() {
      return headEnd() < 0 ? '' : heard.subarray(0, headEnd()).toString('latin1');
    },
    get frames() {
      return raw.status === 101 ? readFrames(heard.subarray(headEnd() + 4)) : [];
    },
    get messages() {
      const texts = raw.frames.filter(({ opcode }) => opcode === 1).map(({ payload }) => payload.toString());
      return texts.flatMap((text) => JSON.parse(text).messages);
    },
    get code() {
      const close = raw.frames.find(({ opcode }) => opcode === 8);
      return close?.payload.readUInt16BE(0);
    },
    get isClosed() {
      return isClosed;
    },
    until: (isSo) =>
      new Promise((resolve) => {
        const check = (): void => {
          const isThere = Boolean(isSo(raw));
          if (!isThere && !isClosed) return;
          looks.delete(check);
          resolve(isThere);
        };
        looks.add(check);
        check();
      }),
  };
  return raw;
}

function readFrames(bytes: Buffer): readonly RawFrame[] {
  const frames: RawFrame[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const short = bytes.readUInt8(at + 1) & 0x7f;
    const head = short === 127 ? 10 : short === 126 ? 4 : 2;
    if (at + head > bytes.length) break;
    const length =
      short === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : short === 126 ? bytes.readUInt16BE(at + 2) : short;
    if (at + head + length > bytes.length) break;
    frames.push({ opcode: bytes.readUInt8(at) & 0x0f, payload: bytes.subarray(at + head, at + head + length) });
    at += head + length;
  }
  return frames;
}

/** The lines of a handshake as a browser sends them; more of them can be added, or said again. */
export function handshake(headers: Headers, more: readonly string[] = [], target = '/ws', method = 'GET'): string {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...more,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

export interface FrameParts {
  /** Text unless set. */
  readonly opcode?: number;
  readonly isLast?: boolean;
  readonly reserved?: number;
  readonly isMasked?: boolean;
  /** The length that it claims to have; its own unless set. */
  readonly length?: bigint;
}

/** A frame of a client, as it should be unless told otherwise. */
export function clientFrame(payload: string | Uint8Array, parts: FrameParts = {}): Buffer {
  const { opcode = 1, isLast = true, reserved = 0, isMasked = true } = parts;
  const body = Buffer.from(payload as string);
  const length = parts.length ?? BigInt(body.length);
  const flag = isMasked ? 0x80 : 0;
  const size =
    length > 65_535n
      ? Buffer.concat([Buffer.from([flag | 127]), wide(length)])
      : length > 125n
        ? Buffer.from([flag | 126, Number(length) >> 8, Number(length) & 0xff])
        : Buffer.from([flag | Number(length)]);
  // Masked with zeros it stays readable.
  const mask = isMasked ? Buffer.alloc(4) : Buffer.alloc(0);
  return Buffer.concat([Buffer.from([(isLast ? 0x80 : 0) | (reserved << 4) | opcode]), size, mask, body]);
}

function wide(length: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(length);
  return bytes;
}
