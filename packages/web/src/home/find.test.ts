import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testSession } from '../../test/test-client.ts';
import { findSessions } from './find.ts';

const sessions = [
  testSession('1', { title: 'Fix the flaky checkout test', project: 'shop-api', model: 'claude-opus-5-5' }),
  testSession('2', { title: 'Rewrite the install guide', project: 'docs', lastText: 'The guide is shorter now.' }),
  testSession('3', { title: 'Größe der Bücher prüfen', project: 'büro' }),
];
const idsOf = (wanted: string): readonly string[] => findSessions(sessions, wanted).map(({ id }) => id);

test('parts of words, in any order, from title, project, model and what was said', () => {
  expect(idsOf('flaky')).toEqual(['1']);
  expect(idsOf('test checkout')).toEqual(['1']);
  expect(idsOf('shop opus')).toEqual(['1']);
  expect(idsOf('shorter')).toEqual(['2']);
  expect(idsOf('bücher')).toEqual(['3']);
  expect(idsOf('the')).toEqual(['1', '2']);
});

test('one slip does no harm, nonsense finds nothing', () => {
  expect(idsOf('chekout')).toEqual(['1']);
  expect(idsOf('zebra')).toEqual([]);
});

test('what is shown of one without a title finds it: its id, its agent', () => {
  const untitled = [
    testSession('ses_01a1de07aaaabbbb', { agent: 'codex' }),
    testSession('ses_01a1de07aaaacccc', { agent: 'gemini' }),
  ];
  const found = (wanted: string): readonly string[] => findSessions(untitled, wanted).map(({ agent }) => agent);
  expect(found('Session aaaabbbb')).toEqual(['codex']);
  expect(found('ses_01a1')).toEqual(['codex', 'gemini']);
  expect(found('gemini')).toEqual(['gemini']);
  expect(found('bbb')).toEqual([]);
});

test('nothing wanted is everything, and signs are found as they stand', () => {
  expect(idsOf('  ')).toEqual(['1', '2', '3']);
  expect(
    findSessions([testSession('a', { title: 'C++ (old)' }), testSession('b')], '++ (').map(({ id }) => id),
  ).toEqual(['a']);
});

test('no word takes long, whatever it is', () => {
  const many = Array.from({ length: 10_000 }, (_, index) =>
    testSession(`${index}`, { title: `aA1'a ${index} ${'ab '.repeat(20)}`, lastText: 'a'.repeat(200) }),
  );
  for (const unit of ['a', "'", 'aA1', 'ab ', 'é', '-', 'a b '])
    for (const length of [24, 200]) {
      const wanted = unit.repeat(length).slice(0, length);
      const began = performance.now();
      findSessions(many, wanted);
      expect(performance.now() - began, wanted).toBeLessThan(5000);
    }
});

test('whoever types a piece of a title finds it, and no text breaks the search', () => {
  const text = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 20 }));
  fc.assert(
    fc.property(text, fc.nat(40), fc.nat(40), (title, from, length) => {
      const piece = title.slice(from, from + length);
      expect(findSessions([testSession('a', { title })], piece)).toHaveLength(1);
    }),
  );
  fc.assert(
    fc.property(text, (wanted) => {
      for (const found of findSessions(sessions, wanted)) expect(sessions).toContain(found);
    }),
  );
});
