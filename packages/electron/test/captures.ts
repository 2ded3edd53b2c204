// Recorded runs, as a pipe would bring them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';

const folder = join(import.meta.dirname, '../../../fixtures');

export function capture(path: string): Buffer {
  return readFileSync(join(folder, path));
}

/** Everything that the ten agents have printed, as `agent/version/name`. */
export function captureNames(agent = ''): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ndjson') && !path.endsWith('.stdin.ndjson') && path.startsWith(agent))
    .sort();
}

/** In pieces of these sizes, over and over. */
export function piped(bytes: Uint8Array, sizes: readonly number[] = [bytes.length]): Readable {
  return Readable.from(pieces(bytes, sizes));
}

function* pieces(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** A pipe that somebody writes line by line. */
export function openPipe(): { readonly stdout: PassThrough; say(...messages: readonly (object | string)[]): void } {
  const stdout = new PassThrough();
  return {
    stdout,
    say(...messages) {
      for (const one of messages) stdout.write(`${typeof one === 'string' ? one : JSON.stringify(one)}\n`);
    },
  };
}
