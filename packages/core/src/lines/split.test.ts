import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { MAX_LINE_BYTES, PREVIEW_BYTES } from './limits.ts';
import { createLineSplitter, type LineSplitterOptions } from './split.ts';

interface Seen {
  text: string;
  number: number;
  offset: number;
  size: number;
  tooLong: boolean;
  terminated: boolean;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function split(pieces: readonly Uint8Array[], options?: LineSplitterOptions): Seen[] {
  const lines: Seen[] = [];
  const splitter = createLineSplitter(
    ({ bytes, ...line }) => lines.push({ text: Buffer.from(bytes).toString('latin1'), ...line }),
    options,
  );
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return lines;
}

const texts = (pieces: readonly Uint8Array[], options?: LineSplitterOptions): string[] =>
  split(pieces, options).map(({ text }) => text);

/** The bytes cut after each of the positions. */
function cutAt(bytes: Uint8Array, positions: readonly number[]): Uint8Array[] {
  const places = [...new Set(positions.map((at) => at % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...places, bytes.length].map((end, index) => bytes.slice(places[index - 1] ?? 0, end));
}

describe('lines', () => {
  test('end at a line feed, with or without a carriage return before it', () => {
    expect(texts([bytesOf('a\nb\r\nc\r\r\n\rd\n')])).toEqual(['a', 'b', 'c\r', '\rd']);
  });

  test('carry their number, offset and size, blank ones included', () => {
    expect(split([bytesOf('ab\n\nc\r\nd')])).toEqual([
      { text: 'ab', number: 1, offset: 0, size: 2, tooLong: false, terminated: true },
      { text: '', number: 2, offset: 3, size: 0, tooLong: false, terminated: true },
      { text: 'c', number: 3, offset: 4, size: 2, tooLong: false, terminated: true },
      { text: 'd', number: 4, offset: 7, size: 1, tooLong: false, terminated: false },
    ]);
  });

  test('a last line without line feed comes out at the end, and only then', () => {
    const seen: string[] = [];
    const splitter = createLineSplitter(({ bytes }) => seen.push(Buffer.from(bytes).toString()));
    splitter.push(bytesOf('whole\nrest\r'));
    expect(seen).toEqual(['whole']);
    expect(splitter.offset).toBe(6);
    expect(splitter.count).toBe(1);
    splitter.end();
    expect(seen).toEqual(['whole', 'rest\r']);
    expect(splitter.offset).toBe(11);
    expect(splitter.count).toBe(2);
    splitter.end();
    expect(seen).toHaveLength(2);
  });

  test('an empty stream and empty pieces have no line', () => {
    expect(split([])).toEqual([]);
    expect(split([new Uint8Array(0), new Uint8Array(0)])).toEqual([]);
    expect(texts([new Uint8Array(0), bytesOf('a'), new Uint8Array(0), bytesOf('\n')])).toEqual(['a']);
  });

  test('numbers and offsets go on from where a reader resumes', () => {
    const [line] = split([bytesOf('x\n')], { offset: 100, line: 7 });
    expect(line).toMatchObject({ number: 8, offset: 100 });
    const splitter = createLineSplitter(() => {}, { offset: 100, line: 7 });
    splitter.push(bytesOf('x\ny'));
    expect(splitter.offset).toBe(102);
    expect(splitter.count).toBe(8);
  });

  test('a caller may use its buffer again after handing it in', () => {
    const seen: string[] = [];
    const splitter = createLineSplitter(({ bytes }) => seen.push(Buffer.from(bytes).toString()));
    const buffer = bytesOf('abc');
    splitter.push(buffer);
    buffer.fill(120);
    splitter.push(bytesOf('\n'));
    expect(seen).toEqual(['abc']);
  });
});

describe('the line limit', () => {
  const limit = 300;
  const line = (size: number): Uint8Array => bytesOf(`${'x'.repeat(size)}\n{"next":1}\n`);

  test.each([limit - 1, limit])('%i bytes are read whole', (size) => {
    for (const pieces of [[line(size)], [...line(size)].map((byte) => Uint8Array.of(byte))]) {
      expect(texts(pieces, { maxLineBytes: limit })).toEqual(['x'.repeat(size), '{"next":1}']);
    }
  });

  test.each([limit + 1, 10 * limit])(
    '[A-02] of %i bytes only the first are kept, and reading goes on at the next line feed',
    (size) => {
      for (const pieces of [
        [line(size)],
        [...line(size)].map((byte) => Uint8Array.of(byte)),
        cutAt(line(size), [limit, limit + 1]),
      ]) {
        expect(split(pieces, { maxLineBytes: limit })).toEqual([
          { text: 'x'.repeat(PREVIEW_BYTES), number: 1, offset: 0, size, tooLong: true, terminated: true },
          { text: '{"next":1}', number: 2, offset: size + 1, size: 10, tooLong: false, terminated: true },
        ]);
      }
    },
  );

  test('a limit below the size of a preview keeps what there is', () => {
    for (const pieces of [[bytesOf('abcdef\n')], [bytesOf('ab'), bytesOf('cd'), bytesOf('ef'), bytesOf('\n')]]) {
      const [seen] = split(pieces, { maxLineBytes: 3 });
      expect(seen).toMatchObject({ tooLong: true, size: 6, text: 'abcdef' });
    }
  });

  test('a last line over the limit is reported, too', () => {
    expect(split([line(limit + 5).slice(0, limit + 5)], { maxLineBytes: limit })).toEqual([
      { text: 'x'.repeat(PREVIEW_BYTES), number: 1, offset: 0, size: limit + 5, tooLong: true, terminated: false },
    ]);
  });

  test('is ten mebibytes unless it is set', () => {
    const bytes = new Uint8Array(MAX_LINE_BYTES + 2).fill(120);
    bytes[MAX_LINE_BYTES] = 10;
    expect(split([bytes]).map(({ tooLong }) => tooLong)).toEqual([false, false]);
    bytes[MAX_LINE_BYTES] = 120;
    expect(split([bytes]).map(({ tooLong }) => tooLong)).toEqual([true]);
  });

  test('the line after a very long one is not slowed down by its buffer', () => {
    const seen: number[] = [];
    const splitter = createLineSplitter(({ bytes }) => seen.push(bytes.buffer.byteLength));
    splitter.push(new Uint8Array(9_000_000).fill(120));
    splitter.push(bytesOf('\na'));
    splitter.push(bytesOf('b\n'));
    expect(seen[0]).toBeGreaterThan(9_000_000);
    expect(seen[1]).toBeLessThan(10_000);
  });
});

test('any chunking gives the same lines, and no byte is lost', () => {
  const piece = fc.oneof(fc.constantFrom('\n', '\r\n', '\r', 'é', '🦫', '{"a":1}', 'x'.repeat(50)), fc.string());
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.nat()), fc.constantFrom(1, 8, 40, 10_000), (parts, cuts, maxLineBytes) => {
      const bytes = bytesOf(parts.join(''));
      const whole = split([bytes], { maxLineBytes });
      expect(split(cutAt(bytes, cuts), { maxLineBytes })).toEqual(whole);
      expect(whole.reduce((sum, { size, terminated }) => sum + size + (terminated ? 1 : 0), 0)).toBe(bytes.length);
    }),
    { numRuns: counts.chunkings },
  );
});
