import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../../proof/counts.ts';
import { capture, captures, cutAt } from '../../../test/captures.ts';
import type { ByteSource } from '../../lines/bytes.ts';
import { MAX_DEPTH, MAX_LINE_BYTES } from '../../lines/limits.ts';
import {
  type ClaudeMessage,
  contentText,
  inputText,
  isInit,
  isResult,
  messageUsage,
  resultCost,
  textContent,
  toolResultBlocks,
  toolUseBlocks,
} from './message.ts';
import { createMessageReader, type MessageError, type MessageReader, type ReadResult } from './reader.ts';

const { bytes, messages } = capture('tools-read-edit');
const init = { type: 'system', subtype: 'init', session_id: 's' };
const said = { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] } };
const result = { type: 'result', subtype: 'success', is_error: false, session_id: 's' };

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const linesOf = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

async function* piecesOf(...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === 'string' ? bytesOf(piece) : piece;
}

async function resultsOf(reader: MessageReader): Promise<ReadResult[]> {
  const results: ReadResult[] = [];
  for (;;) {
    const result = await reader.next();
    if (result.done) return results;
    results.push(result);
  }
}

/** What `next` says of a text: each message's type and each error's code. */
async function tellAll(text: string | readonly Uint8Array[], maxLineBytes?: number): Promise<string[]> {
  const source = typeof text === 'string' ? piecesOf(text) : piecesOf(...text);
  const results = await resultsOf(createMessageReader(source, { maxLineBytes }));
  return results.map(({ message, error }) => message?.type ?? error?.code ?? '');
}

async function collect(read: AsyncIterable<ClaudeMessage>): Promise<ClaudeMessage[]> {
  const all: ClaudeMessage[] = [];
  for await (const message of read) all.push(message);
  return all;
}

/** Gives its pieces, then waits for ever; counts how often it was let go. */
function silent(...pieces: readonly string[]): { source: AsyncIterable<Uint8Array>; released: () => number } {
  let released = 0;
  const left = [...pieces];
  return {
    released: () => released,
    source: {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          const piece = left.shift();
          return piece === undefined ? new Promise(() => {}) : Promise.resolve({ done: false, value: bytesOf(piece) });
        },
        return: () => {
          released++;
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    },
  };
}

async function* failing(text: string): AsyncGenerator<Uint8Array> {
  yield bytesOf(text);
  throw new Error('the disk is gone');
}

describe('next', () => {
  test('[R-02] gives one message at a time with its line, then says that the input is over, as often as asked', async () => {
    const reader = createMessageReader(piecesOf(linesOf([init, said])));
    expect(await reader.next()).toStrictEqual({ done: false, message: init, line: 1 });
    expect(await reader.next()).toStrictEqual({ done: false, message: said, line: 2 });
    for (let asked = 0; asked < 3; asked++) expect(await reader.next()).toStrictEqual({ done: true });
  });

  test('[R-02] tells of a malformed line, and the caller steps over it', async () => {
    const reader = createMessageReader(piecesOf(`${linesOf([init])}{"type":"assis,\n${linesOf([result])}`));
    expect((await reader.next()).message).toEqual(init);
    expect(await reader.next()).toStrictEqual({
      done: false,
      error: { code: 'not_json', message: 'line 2 is not JSON', line: 2, text: '{"type":"assis,' },
      line: 2,
    });
    expect(await reader.next()).toEqual({ done: false, message: result, line: 3 });
    expect(await reader.next()).toEqual({ done: true });
  });

  test('[R-02] skips blank lines, which still count as lines', async () => {
    const reader = createMessageReader(piecesOf(`\n  \t\n\r\n${linesOf([init])}\n\n`));
    expect(await reader.next()).toEqual({ done: false, message: init, line: 4 });
    expect(await reader.next()).toEqual({ done: true });
  });

  test.each([
    ['nothing at all', '', []],
    ['a last line without line feed', linesOf([init, said]).trimEnd(), ['system', 'assistant']],
    ['a last line that broke off', `${linesOf([init])}{"type":"res`, ['system', 'cut_off']],
    ['what is no JSON', 'npm warn something\n', ['not_json']],
    ['JSON that is no message', '42\nnull\n"x"\n{}\n{"type":7}\n[]\n', Array(6).fill('not_message')],
    ['a type nobody knows', '{"type":"hologram","depth":3}\n', ['hologram']],
    ['all messages in one list', `${JSON.stringify([init, said, result])}\n`, ['system', 'assistant', 'result']],
    ['a list with a stranger in it', `${JSON.stringify([init, 5, 6, result])}\n`, ['system', 'result', 'not_message']],
    ['a lost line feed', linesOf([init, result]).replace('\n', ''), ['system', 'result']],
    ['a line lost in another', `{"type":"ass${linesOf([result])}`, ['not_json', 'result']],
    ['a last line lost in another', `{"type":"ass${JSON.stringify(result)}`, ['not_json', 'result']],
    ['a line cut off after another', `${JSON.stringify(init)}{"type":"ass`, ['system', 'cut_off']],
    ['a server-sent event', `data: ${linesOf([init])}`, ['system']],
    ['a byte order mark', `\uFEFF${linesOf([init])}`, ['system']],
  ])('reads %s', async (_, text, expected) => {
    expect(await tellAll(text)).toEqual(expected);
  });

  test('[R-07] reads lines far over 64 kB, and says which are over the limit', async () => {
    const long = { type: 'user', message: { role: 'user', content: 'x'.repeat(5_000_000) } };
    expect(await collect(createMessageReader(piecesOf(linesOf([long, init]))).decode())).toEqual([long, init]);
    const line = JSON.stringify(said);
    expect(await tellAll(`${line}\n`, line.length)).toEqual(['assistant']);
    expect(await tellAll(`${line}\n${linesOf([init])}`, line.length - 1)).toEqual(['too_long', 'system']);
    expect(await tellAll([new Uint8Array(MAX_LINE_BYTES + 1).fill(120)])).toEqual(['too_long']);
  });

  test('refuses what nests too deep', async () => {
    const nested = (levels: number): string => `{"type":"x","a":${'['.repeat(levels)}${']'.repeat(levels)}}\n`;
    expect(await tellAll(nested(MAX_DEPTH - 1) + nested(MAX_DEPTH) + nested(100_000))).toEqual([
      'x',
      'too_deep',
      'too_deep',
    ]);
  });

  test.each([
    ['not_json', `${'x'.repeat(199)}😀${'x'.repeat(500_000)}\n`],
    ['too_long', `"${'é'.repeat(700_000)}"\n`],
    ['too_deep', `${'['.repeat(300_000)}${']'.repeat(300_000)}\n`],
    ['cut_off', `{"type":"${'x'.repeat(5_000)}`],
    ['not_message', `"${'x'.repeat(5_000)}"\n`],
  ])('shows 200 characters of a line at the most: %s', async (code, text) => {
    const [told] = await resultsOf(createMessageReader(piecesOf(text), { maxLineBytes: 1_000_000 }));
    expect(told?.error?.code).toBe(code);
    expect(told?.error?.text.length).toBeLessThanOrEqual(200);
    expect(told?.error?.text.length).toBeGreaterThanOrEqual(99);
    // Throws when a character was halved.
    encodeURIComponent(told?.error?.text ?? '');
    expect(text.startsWith(told?.error?.text ?? '-')).toBe(true);
    expect(told?.error?.message).toMatch(/^line 1 [a-z]/);
  });

  test('[R-02] answers calls at the same time in their order', async () => {
    const reader = createMessageReader(piecesOf(...cutAt(bytes, [1_000, 2_000, 3_000, 4_000, 5_000])));
    const all = await Promise.all(Array.from({ length: messages.length + 2 }, () => reader.next()));
    expect(all.flatMap(({ message }) => message ?? [])).toEqual(messages);
    expect(all.slice(-2)).toEqual([{ done: true }, { done: true }]);
  });

  test('[R-03] lets a failure of the source reach the caller, after what it gave, and lets the source go', async () => {
    const { source, released } = silent(linesOf([init, said]));
    const iterator = source[Symbol.asyncIterator]();
    let reads = 0;
    const broken = {
      [Symbol.asyncIterator]: () => ({
        next: () => (reads++ === 0 ? iterator.next() : Promise.reject(new Error('the disk is gone'))),
        return: () => iterator.return?.() ?? Promise.reject(new Error('never')),
      }),
    };
    const reader = createMessageReader(broken);
    const asked = [reader.next(), reader.next(), reader.next(), reader.next()];
    const settled = await Promise.allSettled(asked);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    await expect(reader.next()).rejects.toThrow('the disk is gone');
    expect(reads).toBe(2);
    expect(released()).toBe(1);
  });

  test('refuses strings, and limits that are none', async () => {
    const strings = Readable.from([Buffer.from(linesOf([init]))]).setEncoding('utf8');
    await expect(createMessageReader(strings).next()).rejects.toThrow('takes bytes');
    for (const maxLineBytes of [0, -1, 1.5, Number.NaN])
      expect(() => createMessageReader(piecesOf(), { maxLineBytes })).toThrow(RangeError);
  });

  test('is over at once when the reader is closed, also while it waits', async () => {
    const { source, released } = silent(linesOf([init, said]));
    const reader = createMessageReader(source);
    expect((await reader.next()).message).toEqual(init);
    await reader.close();
    expect(await reader.next()).toEqual({ done: true });
    await reader.close();
    expect(released()).toBe(1);

    const waiting = silent('{"type":"unfini');
    // A generator is let go only when it speaks again, and this one never does.
    async function* mute() {
      yield bytesOf('{"type":"unfini');
      await new Promise(() => {});
    }
    for (const source of [waiting.source, mute()]) {
      const other = createMessageReader(source);
      const asked = [other.next(), other.next()];
      await new Promise(setImmediate);
      await other.close();
      expect(await Promise.all(asked)).toEqual([{ done: true }, { done: true }]);
    }
    expect(waiting.released()).toBe(1);
  });
});

/** A source that answers when it is told to. */
function controlled(): { source: ByteSource; answer: Promise<never>; fail: (error: Error) => void } {
  let fail: (error: Error) => void = () => {};
  const answer = new Promise<never>((_, reject) => {
    fail = reject;
  });
  return { source: { getReader: () => ({ read: () => answer, cancel: async () => {} }) }, answer, fail };
}

test('a source that fails while the reader is closed has failed nobody', async () => {
  const { source, answer, fail } = controlled();
  const reader = createMessageReader(source);
  const asked = reader.next();
  await Promise.resolve();
  fail(new Error('the disk is gone'));
  await answer.catch(() => reader.close());
  expect(await asked).toEqual({ done: true });
  expect(await reader.next()).toEqual({ done: true });
});

describe('decode', () => {
  test('[R-03] delivers every message of a Node stream, a Web stream, an iterable and a Blob', async () => {
    const path = fileURLToPath(
      new URL('../../../../../fixtures/claude/2.1.325/tools-read-edit.ndjson', import.meta.url),
    );
    const sources: ByteSource[] = [
      createReadStream(path, { highWaterMark: 100 }),
      Readable.toWeb(Readable.from(cutAt(bytes, [10, 5_000]))) as ReadableStream<Uint8Array>,
      piecesOf(...cutAt(bytes, [10, 5_000])),
      new Blob([Buffer.from(bytes)]),
    ];
    for (const source of sources) expect(await collect(createMessageReader(source).decode())).toEqual(messages);
  });

  test('[R-03] goes on where next stopped', async () => {
    const reader = createMessageReader(piecesOf(bytes));
    const { message } = await reader.next();
    expect([message, ...(await collect(reader.decode()))]).toEqual(messages);
    expect(await reader.next()).toEqual({ done: true });
  });

  test('[R-03] steps over malformed lines, and says which', async () => {
    const errors: MessageError[] = [];
    const text = `${linesOf([init])}oops\n${linesOf([said])}{"type":\n7\n${linesOf([result])}{"type":"re`;
    const reader = createMessageReader(piecesOf(text), { onError: (error) => errors.push(error) });
    expect(await collect(reader.decode())).toEqual([init, said, result]);
    expect(errors.map(({ code, line }) => [code, line])).toEqual([
      ['not_json', 2],
      ['not_json', 4],
      ['not_message', 5],
      ['cut_off', 7],
    ]);
    expect(await collect(createMessageReader(piecesOf(text)).decode())).toEqual([init, said, result]);
  });

  test('[R-03] lets a failure of the source reach the caller, after what it gave', async () => {
    const web = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytesOf(linesOf([init, said]))),
      pull: (controller) => controller.error(new Error('the disk is gone')),
    });
    for (const source of [failing(linesOf([init, said])), Readable.from(failing(linesOf([init, said]))), web]) {
      const read: ClaudeMessage[] = [];
      const reader = createMessageReader(source);
      await expect(async () => {
        for await (const message of reader.decode()) read.push(message);
      }).rejects.toThrow('the disk is gone');
      // A Web stream that fails throws away what it still held.
      if (source !== web) expect(read).toEqual([init, said]);
      await expect(reader.next()).rejects.toThrow('the disk is gone');
    }
  });

  test('[R-03] stops at once on cancellation, also when the source is silent, and lets it go', async () => {
    let isCancelled = false;
    const web = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes),
      cancel: () => {
        isCancelled = true;
      },
    });
    const node = new Readable({ read() {} });
    node.push(bytes);
    const iterable = silent(new TextDecoder().decode(bytes));
    async function* generator() {
      yield bytes;
      await new Promise(() => {});
    }
    for (const source of [web, node, iterable.source, generator()]) {
      const controller = new AbortController();
      const read: ClaudeMessage[] = [];
      for await (const message of createMessageReader(source).decode(controller.signal)) {
        read.push(message);
        if (isResult(message)) setImmediate(() => controller.abort());
      }
      expect(read).toEqual(messages);
    }
    expect(isCancelled).toBe(true);
    expect(node.destroyed).toBe(true);
    expect(iterable.released()).toBe(1);
  });

  test('[R-03] gives nothing of what it has read once it is cancelled', async () => {
    const { source, released } = silent(linesOf([init, said, result]));
    const controller = new AbortController();
    const read: ClaudeMessage[] = [];
    const reader = createMessageReader(source);
    for await (const message of reader.decode(controller.signal)) {
      read.push(message);
      controller.abort();
      expect(released()).toBe(1);
    }
    expect(read).toEqual([init]);
    expect(await reader.next()).toEqual({ done: true });
  });

  test('[R-03] gives nothing that arrives together with the cancellation', async () => {
    const signal = { aborted: false, addEventListener: () => {}, removeEventListener: () => {} };
    async function* cancelling() {
      signal.aborted = true;
      yield bytesOf(linesOf([init]));
    }
    expect(await collect(createMessageReader(cancelling()).decode(signal))).toEqual([]);
  });

  test('[R-03] does not cancel a source that has ended by itself', async () => {
    let cancelled = 0;
    const pieces = [{ done: false, value: bytesOf(linesOf([init])) }, { done: true }];
    const source = {
      getReader: () => ({
        read: async () => pieces.shift() ?? { done: true },
        cancel: async () => void cancelled++,
      }),
    };
    expect(await collect(createMessageReader(source).decode())).toEqual([init]);
    expect(cancelled).toBe(0);
  });

  test('[R-03] that is cancelled before it begins reads nothing, and lets the source go', async () => {
    const { source, released } = silent(linesOf([init]));
    expect(await collect(createMessageReader(source).decode(AbortSignal.abort()))).toEqual([]);
    expect(released()).toBe(1);
  });

  test('[R-03] that is cancelled ends also while somebody else waits for the next message', async () => {
    const { source } = silent();
    const reader = createMessageReader(source);
    const controller = new AbortController();
    const asked = reader.next();
    const read = collect(reader.decode(controller.signal));
    setImmediate(() => controller.abort());
    expect(await Promise.all([asked, read])).toEqual([{ done: true }, []]);
  });

  test('[R-03] lets the source go when its reader leaves, and tells when that fails', async () => {
    const { source, released } = silent(linesOf([init, said]));
    for await (const _message of createMessageReader(source).decode()) break;
    expect(released()).toBe(1);
    const stuck = {
      ...source,
      [Symbol.asyncIterator]: () => ({ ...silent(linesOf([init])).source, ...stuckIterator }),
    };
    await expect(async () => {
      for await (const _message of createMessageReader(stuck).decode()) break;
    }).rejects.toThrow('it is stuck');
  });

  const stuckIterator = {
    next: () => Promise.resolve({ done: false as const, value: bytesOf(linesOf([init])) }),
    return: () => Promise.reject(new Error('it is stuck')),
  };

  test('keeps no listener', async () => {
    let listeners = 0;
    let most = 0;
    const signal = {
      aborted: false,
      addEventListener: () => {
        most = Math.max(most, ++listeners);
      },
      removeEventListener: () => void listeners--,
    };
    await collect(createMessageReader(piecesOf(...cutAt(bytes, [100, 200, 300]))).decode(signal));
    expect([most, listeners]).toEqual([1, 0]);
  });

  test('takes no more from a source than it needs', async () => {
    let taken = 0;
    async function* counted() {
      for (;;) {
        taken++;
        yield bytesOf(linesOf([init]));
      }
    }
    const reader = createMessageReader(counted());
    for (let asked = 0; asked < 5; asked++) await reader.next();
    expect(taken).toBe(5);
    await reader.close();
  });
});

describe('recorded runs', () => {
  // Two were killed in the middle of their last line.
  const cut = new Set(['sigkill', 'sigkill-cut-line']);

  test.each(captures)('[R-01] $name gives as many messages as it has lines', async ({ name, bytes, messages }) => {
    const lines = new TextDecoder().decode(bytes).split('\n').filter(Boolean).length;
    const results = await resultsOf(createMessageReader(piecesOf(bytes)));
    expect(results).toHaveLength(lines);
    const errors = results.flatMap(({ error }) => error?.code ?? []);
    expect(errors).toEqual(cut.has(name) ? ['cut_off'] : []);
    expect(results.flatMap(({ message }) => message ?? [])).toEqual(messages);
  });

  test('[R-08] every message that is written out and read again is the same', async () => {
    for (const { bytes } of captures) {
      const read = await collect(createMessageReader(piecesOf(bytes)).decode());
      const again = await collect(createMessageReader(piecesOf(linesOf(read))).decode());
      expect(again).toStrictEqual(read);
    }
  });

  test('[R-10] a whole session reads as it was read through once', async () => {
    const read = await collect(createMessageReader(piecesOf(bytes)).decode());
    const golden = read.map((message, index) => `${index + 1} ${describeMessage(message)}\n`).join('');
    await expect(golden).toMatchFileSnapshot(
      fileURLToPath(new URL('../../../../../fixtures/claude/2.1.325/tools-read-edit.messages.txt', import.meta.url)),
    );
  });

  /** A message's type and what every helper makes of it, on one line. */
  function describeMessage(message: ClaudeMessage): string {
    const { type, subtype } = message;
    return JSON.stringify({
      type,
      subtype,
      ...(isInit(message) && {
        session: message.session_id,
        model: message.model,
        tools: message.tools?.length,
        servers: message.mcp_servers?.length,
      }),
      text: textContent(message) || undefined,
      calls: toolUseBlocks(message).map((block) => [block.id, block.name, inputText(block)]),
      results: toolResultBlocks(message).map((block) => [block.tool_use_id, contentText(block)]),
      usage: messageUsage(message),
      ...(isResult(message) && {
        cost: resultCost(message),
        isError: message.is_error,
        turns: message.num_turns,
        durationMs: message.duration_ms,
        apiDurationMs: message.duration_api_ms,
      }),
    });
  }

  test('any way to cut the bytes gives the same', async () => {
    const text = `${linesOf([init, { ...said, emoji: '👩‍👩‍👧 é' }])}\r\n\nbroken {\n${linesOf([result])}{"type":"us`;
    const stream = Buffer.concat([bytes, bytesOf(text)]);
    const expected = await resultsOf(createMessageReader(piecesOf(stream)));
    expect(expected).toHaveLength(messages.length + 5);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: stream.length }), { maxLength: 30 }), async (positions) => {
        const pieces = cutAt(stream, positions);
        expect(await resultsOf(createMessageReader(piecesOf(...pieces)))).toEqual(expected);
      }),
      { numRuns: counts.chunkings },
    );
    const bits = Array.from({ length: stream.length }, (_, at) => stream.subarray(at, at + 1));
    expect(await resultsOf(createMessageReader(piecesOf(...bits)))).toEqual(expected);
  });

  test('a piece of many lines is read as many small ones are', async () => {
    const many = Array.from({ length: 30_000 }, (_, index) => ({ type: 'x', index, text: 'é'.repeat(index % 50) }));
    expect(await collect(createMessageReader(piecesOf(linesOf(many))).decode())).toEqual(many);
  });
});

describe('[R-09] what was printed is kept', () => {
  test.each([
    ['unicode', 'Zoë 👩‍👩‍👧 שלום 日本\u2028\u0000\uD83D'],
    ['nested JSON', JSON.stringify({ a: [{ b: '{"c":"\\n"}' }], d: { e: null } })],
    ['trailing spaces', ' text with spaces \t  '],
    ['line ends', 'one\r\ntwo\rthree\n'],
  ])('%s', async (_, text) => {
    const call = { type: 'tool_use', id: 't', name: 'Write', input: { nested: { text, list: [[text]] } } };
    const message = { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }, call] } };
    for (const end of ['\n', '\r\n', '   \n', ' \t \r\n', '']) {
      const [read, ...rest] = await collect(
        createMessageReader(piecesOf(`  ${JSON.stringify(message)}${end}`)).decode(),
      );
      expect(rest).toEqual([]);
      expect(read).toStrictEqual(message);
      expect(textContent(read)).toBe(text);
      expect(JSON.parse(inputText(toolUseBlocks(read)[0]))).toEqual(call.input);
    }
  });
});
