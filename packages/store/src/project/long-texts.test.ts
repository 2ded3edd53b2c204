import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leaveOut, putBack } from './long-texts.ts';

const bytes = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);
const long = 'x'.repeat(3_000);

function there(value: unknown, line: Uint8Array): { readonly kept: string; readonly back: unknown } {
  const before = JSON.stringify(value);
  const { value: left, references } = leaveOut(value, line);
  const kept = JSON.stringify(left);
  const back: unknown = JSON.parse(kept);
  putBack(back, references, line);
  expect(JSON.stringify(value)).toBe(before);
  return { kept, back };
}

test('a long text that stands in the line is kept once', () => {
  const value = [
    { type: 'a', content: [{ text: long }] },
    { type: 'b', output: { stdout: long, more: 'short' } },
  ];
  const { kept, back } = there(value, bytes({ message: { content: long } }));
  expect(kept.length).toBeLessThan(200);
  expect(back).toEqual(value);
});

test.each([
  ['a short text', ['x'], { a: long, b: 'x' }],
  ['a text that is not in the line', [`${long}y`], { a: long }],
  ['a text in a line that is no JSON', [long], `${long} {`],
  ['names that mean something', JSON.parse(`[{"__proto__":{"a":"${long}"},"constructor":"${long}"}]`), { a: long }],
  ['a text under such a name in the line', [long], JSON.parse(`{"__proto__":"${long}"}`)],
])('%s comes back as it was', (_, value, line) => {
  expect(there(value, typeof line === 'string' ? Buffer.from(line) : bytes(line)).back).toEqual(value);
  expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
});

test('whatever the value and the line are, the value comes back', () => {
  const text = fc.oneof(fc.constantFrom(long, `${long}é`, 'y'.repeat(600)), fc.string());
  const json = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, text, fc.integer(), fc.constant(null), tie('list'), tie('record')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    record: fc.dictionary(fc.oneof(fc.constantFrom('__proto__', 'constructor', 'a', '0'), fc.string()), tie('value'), {
      maxKeys: 4,
    }),
  })).value;
  fc.assert(
    fc.property(fc.array(json), json, (value, line) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      expect(JSON.stringify(there(plain, bytes({ line, long })).back)).toBe(JSON.stringify(plain));
    }),
    // to proof/counts.ts: runs
    { numRuns: 300 },
  );
});
