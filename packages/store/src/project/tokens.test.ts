import { describe, expect, test } from 'vitest';
import { MAX_TOKEN, tokensOf } from './tokens.ts';

describe('tokens', () => {
  test.each([
    ['Fix the bug', ['fix', 'the', 'bug'], []],
    ['createDecoder', ['createdecoder'], ['create', 'decoder']],
    ['HTTPServer2Go', ['httpserver2go'], ['http', 'server', '2', 'go']],
    ['snake_case_name', ['snake', 'case', 'name'], []],
    ['src/store/contract.ts', ['src', 'store', 'contract', 'ts'], []],
    ['C:\\Users\\me', ['c', 'users', 'me'], []],
    ['v8', ['v8'], ['v', '8']],
    ['数据库', ['数据', '据库', '库'], []],
    ['修复bug了', ['修复', '复', 'bug', '了'], []],
    ['カタカナー', ['カタ', 'タカ', 'カナ', 'ナー', 'ー'], []],
    ['데이터', ['데이', '이터', '터'], []],
    ['naïve café', ['naïve', 'café'], []],
    ['ｆｕｌｌ ﬁne ½', ['full', 'fine', '1', '2'], []],
    ['Straße ΣΊΣΥΦΟΣ', ['straße', 'σίσυφος'], []],
    ['', [], []],
    ['!"#$%&/()', [], []],
  ])('%j', (text, words, pieces) => {
    expect(tokensOf(text)).toEqual({ words, pieces });
  });

  test('the same letter in two forms is one', () => {
    expect(tokensOf('cafe\u0301')).toEqual(tokensOf('café'));
  });

  test.each([MAX_TOKEN - 1, MAX_TOKEN, MAX_TOKEN + 1, 100_000])(
    'a word of %i letters has a token of at most MAX_TOKEN',
    (length) => {
      const [token] = tokensOf('x'.repeat(length)).words;
      expect(token?.length).toBe(Math.min(length, MAX_TOKEN));
    },
  );
});
