// Whatever gives bytes is read alike, and let go.

import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { type ByteReader, readerOf, readUntil } from './bytes.ts';

const pieces = [Uint8Array.of(1, 2), Uint8Array.of(3)];

async function readAll(reader: ByteReader): Promise<number[]> {
  const all: number[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return all;
    all.push(...(value ?? []));
  }
}

async function* given() {
  yield* pieces;
}

test('an iterable, a Node stream, a Web stream and a Blob give the same bytes', async () => {
  const web = () => Readable.toWeb(Readable.from(pieces)) as ReadableStream<Uint8Array>;
  const sources = [given(), Readable.from(pieces), web(), new Blob([Buffer.concat(pieces)])];
  for (const source of sources) expect(await readAll(readerOf(source))).toEqual([1, 2, 3]);
});

test('an iterable is told that nobody reads on, and a Node stream is destroyed', async () => {
  let isReturned = false;
  const iterable: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.resolve({ done: false, value: Uint8Array.of(1) }),
      return: () => {
        isReturned = true;
        return Promise.resolve({ done: true as const, value: undefined });
      },
    }),
  };
  const reader = readerOf(iterable);
  expect(await reader.read()).toEqual({ done: false, value: Uint8Array.of(1) });
  await reader.cancel();
  expect(isReturned).toBe(true);
  const stream = Readable.from(pieces);
  const started = readerOf(stream);
  await started.read();
  await started.cancel();
  expect(stream.destroyed).toBe(true);
  const over = { done: true as const, value: undefined };
  const plain = { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(over) }) };
  await expect(readerOf(plain).cancel()).resolves.toBeUndefined();
});

test('something that has a reader is asked for it, and only what can be destroyed is', async () => {
  const own: ByteReader = { read: () => Promise.resolve({ done: true }), cancel: () => Promise.resolve() };
  expect(readerOf({ getReader: () => own })).toBe(own);
  let isDestroyed = false;
  const silent = { next: () => new Promise<never>(() => {}) };
  const stream = {
    destroy: () => {
      isDestroyed = true;
    },
    [Symbol.asyncIterator]: () => silent,
  };
  await readerOf(stream).cancel();
  expect(isDestroyed).toBe(true);
  await expect(
    readerOf({ destroy: 'no', [Symbol.asyncIterator]: () => silent } as never).cancel(),
  ).resolves.toBeUndefined();
});

test('a piece comes before a signal, or nothing does', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const reader = readerOf(given());
  expect(await readUntil(signal, reader)).toEqual({ done: false, value: pieces[0] });
  const silent: ByteReader = { read: () => new Promise(() => {}), cancel: () => Promise.resolve() };
  const waiting = readUntil(signal, silent);
  controller.abort();
  expect(await waiting).toBeUndefined();
});

test('a failure of the source reaches whoever waits, and no listener stays', async () => {
  const listeners = new Set<() => void>();
  const signal = {
    aborted: false,
    addEventListener: (_type: 'abort', listener: () => void) => void listeners.add(listener),
    removeEventListener: (type: 'abort', listener: () => void) => void (type === 'abort' && listeners.delete(listener)),
  };
  const failing: ByteReader = { read: () => Promise.reject(new Error('gone')), cancel: () => Promise.resolve() };
  await expect(readUntil(signal, failing)).rejects.toThrow('gone');
  await expect.poll(() => listeners.size).toBe(0);
  await readUntil(signal, readerOf(given()));
  await expect.poll(() => listeners.size).toBe(0);
});
