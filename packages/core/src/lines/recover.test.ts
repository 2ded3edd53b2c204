import fc from 'fast-check';
import { expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { recoverRecords } from './recover.ts';

const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'type' in value && 'id' in value;
const record = (id: number, more: object = {}): object => ({ type: 'x', id, ...more });
const text = (id: number, more?: object): string => JSON.stringify(record(id, more));

test('records without a line feed between them are all found', () => {
  expect(recoverRecords(`${text(1)}${text(2)} \t${text(3)}`, isRecord)).toEqual({
    before: [record(1), record(2), record(3)],
    fragment: '',
    after: [],
  });
});

test('a whole record glued to the remains of a cut one is found', () => {
  expect(recoverRecords(`{"type":"x","id":1,"text":"hal${text(2)}`, isRecord)).toEqual({
    before: [],
    fragment: '{"type":"x","id":1,"text":"hal',
    after: [record(2)],
  });
});

test('whole records on both sides of a fragment are found', () => {
  expect(recoverRecords(`${text(1)}{"type":"x","i${text(2)}${text(3)}`, isRecord)).toEqual({
    before: [record(1)],
    fragment: '{"type":"x","i',
    after: [record(2), record(3)],
  });
});

test('a sentence before or a cut record after a whole one does not hide it', () => {
  expect(recoverRecords(`Interrupted. ${text(1)}`, isRecord)).toEqual({
    before: [],
    fragment: 'Interrupted.',
    after: [record(1)],
  });
  expect(recoverRecords(`${text(1)}{"ty`, isRecord)).toEqual({ before: [record(1)], fragment: '{"ty', after: [] });
});

test('braces, quotes and backslashes in strings do not mislead', () => {
  const tricky = { text: '}{"\\', path: 'C:\\', list: [{ a: '[{' }, ['"']] };
  expect(recoverRecords(text(1, tricky) + text(2, tricky), isRecord)?.before).toEqual([
    record(1, tricky),
    record(2, tricky),
  ]);
  expect(recoverRecords(`{"cut":"${text(2, tricky)}`, isRecord)?.after).toEqual([record(2, tricky)]);
});

test('white space around and between records is passed over', () => {
  expect(recoverRecords(`\t ${text(1)} \r\t${text(2)} `, isRecord)).toEqual({
    before: [record(1), record(2)],
    fragment: '',
    after: [],
  });
  expect(recoverRecords(`x ${text(1)}\t \r`, isRecord)).toEqual({ before: [], fragment: 'x', after: [record(1)] });
});

test('a record before a fragment is not read again from its end', () => {
  expect(recoverRecords(`${text(1)}}`, isRecord)).toEqual({ before: [record(1)], fragment: '}', after: [] });
  expect(recoverRecords(`${text(1)}"}`, isRecord)).toEqual({ before: [record(1)], fragment: '"}', after: [] });
  expect(recoverRecords(`${text(1)}]${text(2)}`, isRecord)).toEqual({
    before: [record(1)],
    fragment: ']',
    after: [record(2)],
  });
});

test('an object inside a cut record is not taken for a record', () => {
  expect(recoverRecords('{"type":"x","id":1,"content":[{"type":"text","text":"hi"}', isRecord)).toBeUndefined();
});

test.each([
  '',
  '   ',
  'plain text',
  '{',
  '}',
  '}{',
  '{"a":1}{"b":2}',
  '"',
  '{"a":"',
  '[1,2',
  'x{"type":"x","id":1}y',
  ']',
  '{]}',
])('there is nothing to recover in %j', (broken) => {
  expect(recoverRecords(broken, isRecord)).toBeUndefined();
});

test('wherever a line is cut, the one glued to it is recovered', () => {
  fc.assert(
    fc.property(fc.json(), fc.json(), fc.nat(), (a, b, cut) => {
      const first = JSON.stringify({ type: 'x', id: 1, value: JSON.parse(a) });
      const second = { type: 'x', id: 2, value: JSON.parse(b) };
      const end = 1 + (cut % (first.length - 1));
      const found = recoverRecords(first.slice(0, end) + JSON.stringify(second), isRecord);
      expect([...(found?.before ?? []), ...(found?.after ?? [])].at(-1)).toEqual(second);
    }),
  );
});

test('hundreds of thousands of brackets and quotes in a broken line are no trouble', () => {
  // A scan that began anew at each of them would not be over before the test's time is.
  const broken = `${'{"a":['.repeat(counts.brackets)}${'"\\\\"'.repeat(counts.brackets)}${'}'.repeat(counts.brackets)}`;
  expect(recoverRecords(broken, isRecord)).toBeUndefined();
});

test('a record may nest as deep as a line may, and no deeper', () => {
  const nested = (depth: number): object =>
    JSON.parse(`{"type":"x","id":1,"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`);
  const [deep, deeper] = [JSON.stringify(nested(512)), JSON.stringify(nested(513))];
  expect(recoverRecords(`${deep}${text(2)}`, isRecord)?.before).toHaveLength(2);
  expect(recoverRecords(`${deeper}${text(2)}`, isRecord)).toEqual({ before: [], fragment: deeper, after: [record(2)] });
  expect(recoverRecords(`x${deep}`, isRecord)?.after).toHaveLength(1);
  expect(recoverRecords(`x${deeper}`, isRecord)).toBeUndefined();
});

test('strings that end in escapes are read to their end from either side', () => {
  for (const odd of ['"', '\\', '\\"', '"\\', '}"{', '\\\\"}']) {
    const [one, two] = [text(1, { odd }), text(2, { odd })];
    expect(recoverRecords(one + two, isRecord)).toEqual({
      before: [record(1, { odd }), record(2, { odd })],
      fragment: '',
      after: [],
    });
    expect(recoverRecords(`"${one}`, isRecord)?.after, odd).toEqual([record(1, { odd })]);
    expect(recoverRecords(`${one}"`, isRecord)?.before, odd).toEqual([record(1, { odd })]);
  }
});

test('what looks like the end of a record inside of one is none', () => {
  expect(recoverRecords(`{"type":"x","id":1,"a":"}${text(2)}`, isRecord)).toEqual({
    before: [],
    fragment: '{"type":"x","id":1,"a":"}',
    after: [record(2)],
  });
  expect(recoverRecords(`[${text(1)},${text(2)}`, isRecord)?.after).toEqual([record(2)]);
});
