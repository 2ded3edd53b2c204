import { describe, expect, test } from 'vitest';
import { parseQuery } from './query.ts';
import { snippetOf } from './snippet.ts';

describe('a query', () => {
  test.each([
    ['two words', [['two'], ['words']]],
    ['"a phrase" word', [['a', 'phrase'], ['word']]],
    ['"half a phrase', [['half'], ['a'], ['phrase']]],
    ['src/store/contract.ts', [['src', 'store', 'contract', 'ts']]],
    ['数据库', [['数据', '据库']]],
    ['数', [['数']]],
    ['修复bug', [['修复', '复', 'bug']]],
    ['AND OR NOT NEAR(', [['and'], ['or'], ['not'], ['near']]],
    ['*', []],
    ['   ', []],
  ])('%j', (query, tokens) => {
    expect(parseQuery(query).map((term) => term.tokens)).toEqual(tokens);
  });

  test('a quoted phrase is taken as it is, other words may be parts of words', () => {
    expect(parseQuery('"whole" part').map((term) => [term.isOpenBefore, term.isOpenBehind])).toEqual([
      [false, false],
      [true, true],
    ]);
  });
});

describe('a snippet', () => {
  test('shows what was found, with its place', () => {
    const text = `${'lorem ipsum '.repeat(30)}the Needle lies here ${'dolor sit '.repeat(30)}`;
    const { snippet, ranges } = snippetOf(text, parseQuery('needle here'));
    expect(ranges.map(([from, to]) => snippet.slice(from, to))).toEqual(['Needle', 'here']);
    expect(snippet).toMatch(/^….*…$/u);
    expect(snippet.length).toBeLessThan(170);
  });

  test('is on one line and is never cut in the middle of a character', () => {
    const { snippet } = snippetOf(`${'😀'.repeat(100)}\nword\n${'😀'.repeat(100)}`, parseQuery('word'));
    expect(snippet).not.toMatch(/\n/u);
    expect(Buffer.from(snippet).toString()).toBe(snippet);
  });

  test('of a text whose lower case is longer keeps its places', () => {
    const { snippet, ranges } = snippetOf('İİİİ word', parseQuery('word'));
    expect(ranges.map(([from, to]) => snippet.slice(from, to))).toEqual(['word']);
  });

  test('of a path has all of what was typed in one range', () => {
    const { snippet, ranges } = snippetOf('see src/store/contract.ts there', parseQuery('store/contr'));
    expect(ranges.map(([from, to]) => snippet.slice(from, to))).toEqual(['store/contr']);
  });
});
