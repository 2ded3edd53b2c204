import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { MAX_DEPTH, PREVIEW_BYTES, RAW_TEXT_BYTES } from './limits.ts';
import { decodeLine, type ParsedLine, parseLine, parseText, previewText } from './parse.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (text: string | Uint8Array): ParsedLine => parseBytes(typeof text === 'string' ? bytesOf(text) : text);
const parseBytes = (bytes: Uint8Array): ParsedLine =>
  parseLine(bytes, decodeLine(bytes), (value) => typeof value === 'object');

describe('a line', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['  {"a":1}\t', { a: 1 }],
    ['\ufeff{"a":1}', { a: 1 }],
    ['[1,2]', [1, 2]],
    ['42', 42],
    ['null', null],
    ['data: {"a":1}', { a: 1 }],
    ['data:{"a":1}', { a: 1 }],
    ['{"a":1,"a":2}', { a: 2 }],
    ['{"a":"\u2028\u2029"}', { a: '\u2028\u2029' }],
    ['{"a":"\\ud83e"}', { a: '\ud83e' }],
    ['{"a":"\\u0000"}', { a: '\u0000' }],
    ['{"n":1e400}', { n: Number.POSITIVE_INFINITY }],
    ['{"n":12345678901234567890}', { n: 12345678901234567000 }],
  ])('%j holds its value', (text, value) => {
    expect(parse(text)).toEqual({ kind: 'value', value });
  });

  test('[T-25] with the key __proto__ keeps it as data', () => {
    const parsed = parse('{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}');
    expect(parsed.kind === 'value' && Object.keys(parsed.value as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test('of white space is blank', () => {
    for (const blank of ['', ' ', '\t \r', '\ufeff', '\u00a0']) expect(parse(blank)).toEqual({ kind: 'blank' });
  });

  test.each(['plain', '{"a":', "{'a':1}", '\u0000\u0000', '{"a":"\u0000"}', 'data: [DONE', 'data:'])(
    '%j is not JSON',
    (text) => {
      expect(parse(text)).toEqual({ kind: 'not_json', text });
    },
  );

  test('that is deeper than the limit is refused before it is parsed', () => {
    const deep = '['.repeat(MAX_DEPTH + 1) + ']'.repeat(MAX_DEPTH + 1);
    expect(parse(deep)).toEqual({ kind: 'too_deep', text: deep.slice(0, PREVIEW_BYTES) });
    const just = deep.slice(1, -1);
    expect(parse(just).kind).toBe('value');
  });

  test('that is long is measured before it is parsed, a short one after', () => {
    const open = (size: number): string => '['.repeat(size);
    // Brackets that never close are no JSON; only who counts them first finds that they are too deep.
    expect(parse(open(1024 * 1024 + 1))).toMatchObject({ kind: 'too_deep', text: open(PREVIEW_BYTES) });
    expect(parse(open(1024 * 1024)).kind).toBe('not_json');
    const padded = (depth: number, size: number): string =>
      `["${'x'.repeat(size)}",${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}]`;
    for (const size of [10, 2_000_000]) {
      expect(parse(padded(MAX_DEPTH, size)).kind).toBe('value');
      expect(parse(padded(MAX_DEPTH + 1, size)).kind).toBe('too_deep');
    }
  });

  test('that is spliced gives no record that is too deep', () => {
    const deep = `{"a":${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}}`;
    expect(parse(`{"a":1}${deep}`)).toMatchObject({ kind: 'spliced', before: [{ a: 1 }], fragment: deep });
  });

  test('with broken UTF-8 has a mark where the bytes were', () => {
    expect(parse(Uint8Array.of(0x22, 0xff, 0x22))).toEqual({ kind: 'value', value: '\ufffd' });
  });

  test('of two records is taken apart', () => {
    expect(parse(' {"a":1}{"b":2} ')).toEqual({
      kind: 'spliced',
      before: [{ a: 1 }, { b: 2 }],
      fragment: '',
      after: [],
    });
  });

  test('with a million keys is read', () => {
    const text = `{${Array.from({ length: counts.keys }, (_, index) => `"k${index}":0`).join(',')}}`;
    const parsed = parse(text);
    expect(parsed.kind === 'value' && Object.keys(parsed.value as object)).toHaveLength(counts.keys);
  });
});

describe('text that is kept of a line', () => {
  test.each([RAW_TEXT_BYTES - 1, RAW_TEXT_BYTES, RAW_TEXT_BYTES + 1])('that is not JSON and has %i bytes', (size) => {
    const parsed = parse('x'.repeat(size));
    expect(parsed.kind === 'not_json' && parsed.text).toHaveLength(Math.min(size, RAW_TEXT_BYTES));
  });

  test.each([PREVIEW_BYTES - 1, PREVIEW_BYTES, PREVIEW_BYTES + 1])('as a preview of %i bytes', (size) => {
    expect(previewText(bytesOf('x'.repeat(size)))).toHaveLength(Math.min(size, PREVIEW_BYTES));
  });

  test('ends with a whole character', () => {
    for (const character of ['é', '€', '🦫']) {
      for (let shift = 0; shift < 4; shift++) {
        const text = previewText(bytesOf('x'.repeat(shift) + character.repeat(PREVIEW_BYTES)));
        expect(text.endsWith(character)).toBe(true);
        expect(text).not.toContain('\ufffd');
        expect(bytesOf(text).length).toBeGreaterThan(PREVIEW_BYTES - 4);
      }
    }
  });

  test('of broken bytes stays within its size', () => {
    expect(previewText(new Uint8Array(1_000).fill(0x80)).length).toBeLessThanOrEqual(PREVIEW_BYTES);
  });
});

describe('a text from outside', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const padded = (depth: number): string => `["${'x'.repeat(1_100_000)}",${nested(depth - 1)}]`;

  test('is its value, or nothing', () => {
    expect(parseText('{"a":1}')).toEqual({ a: 1 });
    expect(parseText('nonsense')).toBeUndefined();
    expect(parseText('')).toBeUndefined();
  });

  test('is nothing when it nests too deep, however long it is', () => {
    expect(parseText(nested(MAX_DEPTH))).toBeDefined();
    expect(parseText(nested(MAX_DEPTH + 1))).toBeUndefined();
    expect(parseText(padded(MAX_DEPTH))).toBeDefined();
    expect(parseText(padded(MAX_DEPTH + 1))).toBeUndefined();
    expect(parseText('['.repeat(1_100_000))).toBeUndefined();
  });

  test('behind the mark of a server-sent line is not passed on when it nests too deep', () => {
    expect(parse(`data: ${nested(MAX_DEPTH + 1)}`).kind).toBe('not_json');
    expect(parse(`data: ${nested(MAX_DEPTH)}`).kind).toBe('value');
    expect(parse(`dote: ${nested(3)}`).kind).toBe('not_json');
  });
});
