import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { capture, decodeAll } from '../../test/captures.ts';
import type { AgentStreamEvent } from '../index.ts';
import { createDecoderStream, decode } from './index.ts';

const { bytes } = capture('partial-messages');
const expected = decodeAll([bytes]);
const pieces = [bytes.subarray(0, 5_000), bytes.subarray(5_000, 5_001), bytes.subarray(5_001)];

async function collect(events: AsyncIterable<AgentStreamEvent>): Promise<AgentStreamEvent[]> {
  const all: AgentStreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Gives its pieces, then waits for ever; says whether it was released. */
function endless(): { source: AsyncIterable<Uint8Array>; released: () => boolean } {
  let isReleased = false;
  const left = [...pieces];
  return {
    released: () => isReleased,
    source: {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          const value = left.shift();
          return value ? Promise.resolve({ done: false, value }) : new Promise(() => {});
        },
        return: () => {
          isReleased = true;
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    },
  };
}

describe('decode', () => {
  test('[A-01] reads a Node stream, a Web stream, an iterable and a Blob alike', async () => {
    const path = fileURLToPath(new URL('../../../../fixtures/claude/2.1.325/partial-messages.ndjson', import.meta.url));
    expect(await collect(decode(createReadStream(path, { highWaterMark: 100 })))).toEqual(expected);
    expect(await collect(decode(Readable.toWeb(Readable.from(pieces)) as ReadableStream<Uint8Array>))).toEqual(
      expected,
    );
    expect(await collect(decode(Readable.from(pieces)))).toEqual(expected);
    expect(await collect(decode(new Blob([Buffer.from(bytes)])))).toEqual(expected);
  });

  test('ends when the signal is given, closes what is open and releases the source', async () => {
    const { source, released } = endless();
    const controller = new AbortController();
    const events: AgentStreamEvent[] = [];
    for await (const event of decode(source, { signal: controller.signal })) {
      events.push(event);
      if (event.type === 'turn-end') controller.abort();
    }
    expect(events.at(-1)).toMatchObject({ type: 'session-end', outcome: 'cancelled' });
    expect(released()).toBe(true);
  });

  test('ends at once when a silent source is cancelled, and lets it go', async () => {
    let isCancelled = false;
    const web = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes),
      cancel: () => {
        isCancelled = true;
      },
    });
    const node = new Readable({ read() {} });
    node.push(bytes);
    async function* silent() {
      yield bytes;
      await new Promise(() => {});
    }
    for (const source of [web, node, silent()]) {
      const controller = new AbortController();
      let last: AgentStreamEvent | undefined;
      for await (const event of decode(source, { signal: controller.signal })) {
        if (event.type === 'turn-end') setImmediate(() => controller.abort());
        last = event;
      }
      expect(last).toMatchObject({ type: 'session-end', outcome: 'cancelled' });
    }
    expect(isCancelled).toBe(true);
    expect(node.destroyed).toBe(true);
  });

  test('lets a silent source go at once when its reader leaves while it waits', async () => {
    let isCancelled = false;
    const web = new ReadableStream<Uint8Array>({
      cancel: () => {
        isCancelled = true;
      },
    });
    const node = new Readable({ read() {} });
    async function* silent() {
      await new Promise(() => {});
      yield bytes;
    }
    for (const source of [web, node, silent()]) {
      const events = decode(source);
      const next = events.next();
      expect(await events.return()).toEqual({ done: true, value: undefined });
      expect(await next).toEqual({ done: true, value: undefined });
    }
    expect(isCancelled).toBe(true);
    expect(node.destroyed).toBe(true);
    const throwing = decode(new Readable({ read() {} }));
    const waiting = throwing.next();
    await throwing.throw(new Error('enough')).catch(() => {});
    expect(await waiting).toEqual({ done: true, value: undefined });
    // Before anything was read, too.
    const unread = new Readable({ read() {} });
    const left = decode(unread);
    await left.return();
    expect(await left.next()).toEqual({ done: true, value: undefined });
    expect(unread.destroyed).toBe(true);
  });

  test('lets whoever leaves between two events wait until the source is released, and hear how that went', async () => {
    let isClean = false;
    async function* careful() {
      try {
        for (;;) yield bytes;
      } finally {
        await new Promise(setImmediate);
        isClean = true;
      }
    }
    for await (const _event of decode(careful())) break;
    expect(isClean).toBe(true);
    async function* failing() {
      try {
        for (;;) yield bytes;
      } finally {
        // biome-ignore lint/correctness/noUnsafeFinally: that is what is tried
        throw new Error('not closed');
      }
    }
    await expect(async () => {
      for await (const _event of decode(failing())) break;
    }).rejects.toThrow('not closed');
  });

  test('keeps no listener and no promise of the pieces that it has read', async () => {
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const counting = {
      get aborted() {
        return signal.aborted;
      },
      addEventListener: () => void listeners++,
      removeEventListener: () => void listeners--,
    };
    for await (const _event of decode(Readable.from(Array.from({ length: 500 }, () => Buffer.from('\n'))), {
      signal: counting,
    }))
      expect(listeners).toBeLessThanOrEqual(1);
    expect(listeners).toBe(0);
  });

  test('that is cancelled before it begins reads nothing', async () => {
    const { source, released } = endless();
    expect((await collect(decode(source, { signal: AbortSignal.abort() }))).map(({ type }) => type)).toEqual([
      'session-start',
      'session-end',
    ]);
    expect(released()).toBe(true);
  });

  test('releases the source when its reader leaves', async () => {
    const { source, released } = endless();
    for await (const event of decode(source)) if (event.type === 'text-delta') break;
    expect(released()).toBe(true);
  });

  test('lets a failure of the source reach its reader, after what it gave', async () => {
    async function* failing() {
      yield bytes.subarray(0, 6_000);
      throw new Error('the disk is gone');
    }
    const events: AgentStreamEvent[] = [];
    await expect(async () => {
      for await (const event of decode(failing())) events.push(event);
    }).rejects.toThrow('the disk is gone');
    expect(events.length).toBeGreaterThan(5);
  });

  test('takes the options of a decoder', async () => {
    const events = await collect(
      decode(Readable.from([Buffer.from('x'.repeat(50))]), { agent: 'claude', maxLineBytes: 10 }),
    );
    expect(events[1]).toMatchObject({ type: 'raw', reason: 'too_long', bytes: 50 });
  });
});

test('a transform stream takes bytes and gives events', async () => {
  const events: AgentStreamEvent[] = [];
  const source = Readable.toWeb(Readable.from(pieces)) as ReadableStream<Uint8Array>;
  await source
    .pipeThrough(createDecoderStream())
    .pipeTo(new WritableStream({ write: (event) => void events.push(event) }));
  expect(events).toEqual(expected);
});
