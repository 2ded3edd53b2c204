// Everybody who turns bytes into messages. Each contender is `prepare(bytes, tools) → run()`: what `prepare` does is not on
// the clock. `run` returns an answer that is compared with what the fixture holds. All streams read the same memory.

import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';

const CHUNK = 64 * 1024;

/** A stream over memory, in chunks of the size a pipe gives, so that no disk is measured. */
export function streamOf(bytes, size = CHUNK) {
  let at = 0;
  return new Readable({
    highWaterMark: size,
    read() {
      if (at >= bytes.length) this.push(null);
      else {
        this.push(bytes.subarray(at, at + size));
        at += size;
      }
    },
  });
}

/** Counts messages and the letters of their types, so that nobody gets away without having parsed. */
function createTally() {
  const answer = { lines: 0, typeLength: 0 };
  return {
    answer,
    take(message) {
      answer.lines++;
      answer.typeLength += message.type.length;
    },
  };
}

/** Counts events and the characters they carry: deltas of an answer, contents of a result. */
function createEventTally() {
  const answer = { events: 0, textLength: 0 };
  return {
    answer,
    take(events) {
      answer.events += events.length;
      for (const event of events) {
        if (event.type === 'text-delta' || event.type === 'reasoning-delta') answer.textLength += event.delta.length;
        else if (event.type === 'tool-call-end') answer.textLength += partsLength(event.content);
      }
    },
  };
}

function partsLength(parts) {
  let length = 0;
  for (const part of parts) length += (part.text ?? part.data ?? '').length;
  return length;
}

const ended = (emitter, event) => new Promise((resolve, reject) => emitter.once(event, resolve).once('error', reject));

export const contenders = {
  /** The limit: nothing but `JSON.parse`, over strings that were there before. */
  strings: {
    prepare(bytes) {
      const lines = bytes.toString('utf8').split('\n').filter(Boolean).map(flat);
      return () => {
        const { answer, take } = createTally();
        for (const line of lines) take(JSON.parse(line));
        return answer;
      };
    },
  },

  /** The limit from bytes: all of them in one piece, one decode per line. */
  bytes: {
    prepare: (bytes) => () => {
      const { answer, take } = createTally();
      let start = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        take(JSON.parse(bytes.utf8Slice(start, end)));
        start = end + 1;
      }
      return answer;
    },
  },

  readline: {
    prepare:
      (bytes, { chunk }) =>
      async () => {
        const { answer, take } = createTally();
        const lines = createInterface({ input: streamOf(bytes, chunk), crlfDelay: Infinity });
        lines.on('line', (line) => take(JSON.parse(line)));
        await ended(lines, 'close');
        return answer;
      },
  },

  split2: {
    prepare:
      (bytes, { chunk, split2 }) =>
      async () => {
        const { answer, take } = createTally();
        const lines = streamOf(bytes, chunk).pipe(split2());
        lines.on('data', (line) => take(JSON.parse(line)));
        await ended(lines, 'end');
        return answer;
      },
  },

  /**
   * How `@anthropic-ai/claude-agent-sdk` 0.3.325 reads (read in its `sdk.mjs`, not copied): its transport iterates over
   * readline with `for await`, skips blank lines, parses, and yields from an async generator; a pump iterates over that
   * and puts messages into a queue; the host iterates over the queue.
   */
  sdk: {
    prepare:
      (bytes, { chunk }) =>
      async () => {
        const { answer, take } = createTally();
        for await (const message of sdkMessages(streamOf(bytes, chunk))) take(message);
        return answer;
      },
  },

  tailrace: {
    prepare:
      (bytes, { chunk, createDecoder }) =>
      async () => {
        const { answer, take } = createEventTally();
        const decoder = createDecoder({ agent: 'claude', maxLineBytes: 256 * 1024 * 1024 });
        const source = streamOf(bytes, chunk);
        source.on('data', (piece) => take(decoder.feed(piece)));
        await ended(source, 'end');
        take(decoder.end({ code: 0 }));
        return { ...answer, lines: decoder.stats.lines };
      },
  },

  /** The same without a stream: chunk after chunk in a loop. */
  'tailrace-sync': {
    prepare:
      (bytes, { chunk = CHUNK, createDecoder }) =>
      () => {
        const { answer, take } = createEventTally();
        const decoder = createDecoder({ agent: 'claude', maxLineBytes: 256 * 1024 * 1024 });
        for (let at = 0; at < bytes.length; at += chunk) take(decoder.feed(bytes.subarray(at, at + chunk)));
        take(decoder.end({ code: 0 }));
        return { ...answer, lines: decoder.stats.lines };
      },
  },
};

export async function* sdkMessages(input) {
  const queue = createQueue();
  const pump = async () => {
    for await (const message of sdkTransport(input)) queue.put(message);
    queue.end();
  };
  pump();
  yield* queue;
}

async function* sdkTransport(input) {
  for await (const line of createInterface({ input })) {
    if (line.trim()) yield JSON.parse(line);
  }
}

/** One promise for whoever waits; what nobody waits for is kept in order. */
function createQueue() {
  const waiting = [];
  let wake;
  let isOver = false;
  return {
    put(value) {
      if (!wake) waiting.push(value);
      else {
        wake({ done: false, value });
        wake = undefined;
      }
    },
    end() {
      isOver = true;
      wake?.({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return {
        next() {
          if (waiting.length > 0) return Promise.resolve({ done: false, value: waiting.shift() });
          if (isOver) return Promise.resolve({ done: true, value: undefined });
          return new Promise((resolve) => {
            wake = resolve;
          });
        },
      };
    },
  };
}

/** A copy that is no slice of the whole text: a slice would be slower to read. */
function flat(line) {
  return Buffer.from(line).toString();
}
