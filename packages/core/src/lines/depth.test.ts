import fc from 'fast-check';
import { expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { isDeeper, isTooDeep } from './depth.ts';
import { MAX_DEPTH } from './limits.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

test.each([
  [MAX_DEPTH - 1, false],
  [MAX_DEPTH, false],
  [MAX_DEPTH + 1, true],
  [counts.levels, true],
])('[T-27] %i levels are too deep: %s', (depth, expected) => {
  expect(isTooDeep(bytesOf(nested(depth)), MAX_DEPTH)).toBe(expected);
  expect(isTooDeep(bytesOf(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`), MAX_DEPTH)).toBe(expected);
});

test('brackets side by side are not deep', () => {
  expect(isTooDeep(bytesOf(`[${'[],'.repeat(5_000)}{}]`), 3)).toBe(false);
  expect(isTooDeep(bytesOf('[[]][[]][{}]'), 2)).toBe(false);
  expect(isTooDeep(bytesOf('[[]][[[]]]'), 2)).toBe(true);
});

test('brackets inside strings do not count, whatever is escaped there', () => {
  expect(isTooDeep(bytesOf('["[[[[[[", "\\"[[[[[[", "\\\\", "{{{{"]'), 2)).toBe(false);
  expect(isTooDeep(bytesOf('["\\\\",[[[]]]]'), 3)).toBe(true);
  expect(isTooDeep(bytesOf('["\\\\\\"[[[[[["]'), 1)).toBe(false);
  expect(isTooDeep(bytesOf('{"a":"]]]]","b":{"c":{"d":1}}}'), 2)).toBe(true);
});

test('a string that never ends has no depth after it', () => {
  expect(isTooDeep(bytesOf('["[[[[[[[[['), 2)).toBe(false);
  expect(isTooDeep(bytesOf('["\\"'), 2)).toBe(false);
});

test('of a value that was parsed is told as well', () => {
  expect(isDeeper([[]], 2)).toBe(false);
  expect(isDeeper([[[]]], 2)).toBe(true);
  expect(isDeeper({ a: { b: 1 } }, 2)).toBe(false);
  expect(isDeeper({ a: 1, b: { c: { d: 1 } } }, 2)).toBe(true);
  expect(isDeeper([1, {}, [{}]], 2)).toBe(true);
  expect(isDeeper(null, 0)).toBe(false);
  expect(isDeeper('[[[[', 0)).toBe(false);
  expect(isDeeper([], 0)).toBe(true);
});

test('agrees with the depth of what JSON.parse builds', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 1, max: 6 }), (text, limit) => {
      expect(isTooDeep(bytesOf(text), limit)).toBe(depthOf(JSON.parse(text)) > limit);
      expect(isDeeper(JSON.parse(text), limit)).toBe(depthOf(JSON.parse(text)) > limit);
    }),
  );
});
