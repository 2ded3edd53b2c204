import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../../proof/counts.ts';
import { append, inPlace, type Opened, promptLines, toLines } from '../../../test/history/place.ts';
import { segmentsOf } from '../../project/tokens.ts';
import { beginEpoch } from '../epoch.ts';
import { writeNow } from '../transaction.ts';
import { RANKED_HITS } from './search.ts';
import { createTextIndex } from './text-index.ts';
import { namedText } from './write-rows.ts';

async function found(opened: Opened, words: string, options = {}): Promise<readonly string[]> {
  return (await opened.history.search(words, { limit: 1_000, ...options })).map(({ snippet }) => snippet);
}

async function withTexts(texts: readonly string[], work: (opened: Opened) => Promise<void>): Promise<void> {
  await inPlace(async (place) => {
    const opened = await place.open();
    await append(opened, 'one', { kind: 'transcript', agent: 'claude', sessionId: 'one' }, promptLines('one', texts));
    await opened.history.catchUp();
    await work(opened);
  });
}

describe('search', () => {
  const texts = [
    'Please fix createDecoder in src/store/contract.ts',
    'The decoder of the parser is slow',
    '请修复数据库的连接错误',
    'データベースの接続を直して',
    '데이터베이스를 고쳐 주세요',
    'snake_case_name and MAX_TOKEN_LENGTH',
  ];

  test.each([
    ['decoder', [0, 1]],
    ['dec', [0, 1]],
    ['eateDec', [0]],
    ['createDecoder', [0]],
    ['store/contract', [0]],
    ['tore/contr', [0]],
    ['contract.ts', [0]],
    ['slow parser', [1]],
    ['"slow parser"', []],
    ['"parser is slow"', [1]],
    ['"parser is slo"', []],
    ['fix slow', []],
    ['数据', [2]],
    ['据库的', [2]],
    ['库', [2]],
    ['误', [2]],
    ['据的', []],
    ['タベ', [3]],
    ['接続を', [3]],
    ['이터', [4]],
    ['case_name', [5]],
    ['token', [5]],
    ['OKEN', [5]],
    ['xyzzy', []],
  ])('%j is found where it stands', async (words, places) => {
    await withTexts(texts, async (opened) => {
      expect([...(await found(opened, words))].sort()).toEqual(places.map((place) => texts[place]).sort());
    });
  });

  test('every text is found by any of its words, by the middle of a word, and by two characters of a script without blanks', async () => {
    const word = fc.oneof(
      fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9]{0,14}$/),
      fc.stringMatching(/^[a-z]{2,6}([A-Z][a-z]{1,6}){1,3}$/),
      fc
        .array(fc.constantFrom(...'数据库连接错误修复请测试提交代码分支合并'), { minLength: 2, maxLength: 8 })
        .map((all) => all.join('')),
      fc
        .array(fc.constantFrom(...'あいうえおカキクケコ가나다라마'), { minLength: 2, maxLength: 8 })
        .map((all) => all.join('')),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    );
    const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => `a${words.join(' ')}`);
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 12 }), fc.nat(), async (all, number) => {
        // The same prompt twice is two prompts; here each is to be told from the others.
        const texts = all.map((one, index) => `${one} n${index}n`);
        await withTexts(texts, async (opened) => {
          for (const [index, text] of texts.entries()) {
            for (const part of partsOf(text, number)) {
              const hits = await opened.history.search(part, { limit: 1_000 });
              const isFound = hits.some(({ messageId }) => messageId === `one-${index}`);
              expect(isFound, `${JSON.stringify(part)} of ${JSON.stringify(text)}`).toBe(true);
            }
          }
        });
      }),
      { numRuns: counts.searchTexts },
    );
  });

  /** Words, and pieces of them that have to be found. */
  function partsOf(text: string, number: number): readonly string[] {
    return [...segmentsOf(text)].flatMap((segment) => {
      const characters = [...segment.text];
      if (segment.isPaired) {
        const from = number % Math.max(characters.length - 1, 1);
        return [segment.text, characters.slice(from, from + 2).join('')];
      }
      if (characters.length < 5) return [segment.text];
      const from = 1 + (number % (characters.length - 4));
      return [segment.text, characters.slice(0, 3).join(''), characters.slice(from, from + 3).join('')];
    });
  }

  test('nothing that is typed is an error', async () => {
    await withTexts(['some words'], async (opened) => {
      const odd = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 30 }),
        fc.string({
          unit: fc.constantFrom('"', '*', '(', ')', '^', ':', '{', '}', '+', '-', ' ', 'a', 'AND', 'NEAR', '\0', "'"),
        }),
      );
      await fc.assert(
        fc.asyncProperty(odd, async (words) => {
          await opened.history.search(words);
          await opened.history.search(words, { kinds: ['prompt'], sessionId: words, since: 0, until: 1 });
        }),
        { numRuns: 20 * counts.searchTexts },
      );
    });
  });

  test('kinds, session and time narrow it', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      await append(
        opened,
        'a',
        { kind: 'transcript', agent: 'claude', sessionId: 'a' },
        promptLines('a', ['walrus one', 'walrus two']),
      );
      await append(
        opened,
        'b',
        { kind: 'transcript', agent: 'claude', sessionId: 'b' },
        promptLines('b', ['walrus three']),
      );
      await opened.history.catchUp();
      expect((await found(opened, 'walrus')).length).toBe(3);
      expect(await found(opened, 'walrus', { sessionId: 'b' })).toEqual(['walrus three']);
      expect(await found(opened, 'walrus', { sessionId: 'c' })).toEqual([]);
      expect(await found(opened, 'walrus', { kinds: ['answer'] })).toEqual([]);
      expect((await found(opened, 'walrus', { kinds: ['prompt', 'answer'] })).length).toBe(3);
      expect(await found(opened, 'walrus', { since: 1_794_700_001_000 })).toEqual(['walrus two']);
      expect([...(await found(opened, 'walrus', { until: 1_794_700_001_000 }))].sort()).toEqual([
        'walrus one',
        'walrus three',
      ]);
      expect(await found(opened, 'walrus', { limit: 0 })).toEqual([]);
    });
  });

  test('a hit says where it is in the record', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      const call = {
        type: 'assistant',
        sessionId: 'one',
        timestamp: '2026-11-15T07:00:00.000Z',
        message: {
          id: 'm1',
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'make walrus' } }],
        },
      };
      const file = {
        ...call,
        message: {
          ...call.message,
          content: [{ type: 'tool_use', id: 't2', name: 'Read', input: { file_path: '/tmp/walrus.md' } }],
        },
      };
      await append(opened, 's', { kind: 'transcript', agent: 'claude' }, toLines('transcript', call, file));
      await opened.history.catchUp();
      const hits = await opened.history.search('walrus');
      expect(
        hits.map(({ kind, stream, line, toolCallId, position }) => ({ kind, stream, line, toolCallId, position })),
      ).toEqual(
        expect.arrayContaining([
          { kind: 'command', stream: 's', line: 1, toolCallId: 't1', position: 1 },
          { kind: 'path', stream: 's', line: 2, toolCallId: 't2', position: 2 },
        ]),
      );
      const line = await opened.record.line('s', hits[0]?.line ?? 0);
      expect(Buffer.from(line?.bytes ?? []).includes('walrus')).toBe(true);
    });
  });

  test('a word that was forgotten meanwhile is known again with the next text that has it', async () => {
    await inPlace(async (place) => {
      const { connection } = await place.open();
      const { raw } = connection;
      const index = createTextIndex(connection);
      const count = raw.prepare<[], number>('SELECT count(*) FROM terms').pluck();
      const add = (build: number): void =>
        writeNow(connection, () => index.add([{ build, streamId: 0, row: namedText('hippogriff', 1) }]));
      add(1);
      expect(count.get()).toBe(1);
      writeNow(connection, () => {
        raw.exec('DELETE FROM terms; DELETE FROM term_parts WHERE rowid = 1');
        beginEpoch(connection);
      });
      add(2);
      expect(count.get()).toBe(1);
    });
  });

  test('the better match comes first; of too many the newest do', async () => {
    const texts = [`walrus ${'filler words '.repeat(40)}`, 'walrus walrus', 'nothing'];
    await withTexts(texts, async (opened) => {
      const ranked = await opened.history.search('walrus');
      expect(ranked.map(({ messageId }) => messageId)).toEqual(['one-1', 'one-0']);
      expect(ranked[0]?.score).toBeGreaterThan(ranked[1]?.score ?? 0);
    });
    const many = Array.from({ length: RANKED_HITS + 1 }, (_, index) => `walrus ${index}`);
    await withTexts(many, async (opened) => {
      const newest = await opened.history.search('walrus', { limit: 3 });
      expect(newest.map(({ messageId }) => messageId)).toEqual([20_000, 19_999, 19_998].map((index) => `one-${index}`));
      expect(newest.map(({ score }) => score)).toEqual([0, 0, 0]);
      const [ranked] = await opened.history.search('777');
      expect(ranked?.messageId).toBe('one-777');
      expect(ranked?.score).toBeGreaterThan(0);
      // One common word is enough: to rank by it would take too long.
      expect((await opened.history.search('walrus 777', { limit: 1 }))[0]).toMatchObject({
        messageId: 'one-19777',
        score: 0,
      });
      // Parts of words come in where the word itself is not enough.
      await append(
        opened,
        'two',
        { kind: 'transcript', agent: 'claude', sessionId: 'two' },
        promptLines('two', ['walruses sing']),
      );
      await opened.history.catchUp();
      expect(await found(opened, 'walrus', { limit: 3 })).toHaveLength(3);
      expect(await found(opened, 'walrus sing')).toEqual(['walruses sing']);
    });
  });
});
