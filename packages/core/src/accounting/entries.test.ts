// A total taken apart into its answers and a rest.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { costOf, counted, sumOf } from '../../test/bill.ts';
import type { Usage } from '../event/event.ts';
import { type Answered, entriesOfSpan, entryOfAnswer, type Span } from './entries.ts';
import type { PriceTable } from './prices.ts';

const answer = (id: string, usage: Usage | undefined, model: string | undefined = 'opus'): Answered => ({
  id,
  time: 5,
  model,
  subagentId: undefined,
  usage,
  costUsd: undefined,
});
/** An answer that names no model. */
const nameless = (id: string, usage: Usage): Answered => ({ ...answer(id, usage), model: undefined });
const span = (usage: Usage, answers: Span['answers'], more: Partial<Span> = {}): Span => ({
  key: 'k',
  time: 9,
  usage,
  models: [['opus', { usage, costUsd: undefined }]],
  costUsd: undefined,
  answers,
  ...more,
});
/** The part of a model: its input, and what it cost. */
const input = (inputTokens: number, costUsd?: number) => ({ usage: { inputTokens }, costUsd });
const costsOf = (whole: Span, prices: PriceTable = {}): Record<string, number | undefined> =>
  Object.fromEntries(entriesOfSpan(whole, prices).map(({ id, costUsd }) => [id, costUsd]));

describe('a total', () => {
  test('that says more than its answers has a rest, at its own time and by its model', () => {
    const entries = entriesOfSpan(
      span({ inputTokens: 10, outputTokens: 5 }, [answer('a', { inputTokens: 4, outputTokens: 5 })]),
      {},
    );
    expect(entries).toEqual([
      {
        id: 'a',
        time: 5,
        model: 'opus',
        subagentId: undefined,
        usage: { inputTokens: 4, outputTokens: 5 },
        isRest: false,
      },
      { id: 'rest opus k', time: 9, model: 'opus', usage: { inputTokens: 6, outputTokens: 0 }, isRest: true },
    ]);
  });

  test('that says less leaves its answers no more than there is', () => {
    const [first, second, ...none] = entriesOfSpan(
      span({ inputTokens: 10 }, [answer('a', { inputTokens: 8, outputTokens: 1 }), answer('b', { inputTokens: 8 })]),
      {},
    );
    expect([first?.usage, second?.usage, none]).toEqual([{ inputTokens: 8, outputTokens: 0 }, { inputTokens: 2 }, []]);
  });

  test.each<[string, Usage, Usage, Usage]>([
    ['input', { inputTokens: 9 }, { inputTokens: 4 }, { inputTokens: 5 }],
    ['output', { outputTokens: 9 }, { outputTokens: 4 }, { outputTokens: 5 }],
    [
      'reasoning',
      { outputTokens: 9, reasoningTokens: 6 },
      { outputTokens: 4, reasoningTokens: 1 },
      { outputTokens: 5, reasoningTokens: 5 },
    ],
    ['nothing but a sum', { totalTokens: 9 }, { totalTokens: 4 }, { totalTokens: 5 }],
    [
      'what was read from the cache',
      { inputTokens: 9, cacheReadTokens: 6 },
      { inputTokens: 4, cacheReadTokens: 3 },
      { inputTokens: 5, cacheReadTokens: 3 },
    ],
    [
      'what was written to the cache',
      { inputTokens: 9, cacheWriteTokens: 6 },
      { inputTokens: 4, cacheWriteTokens: 3 },
      { inputTokens: 5, cacheWriteTokens: 3 },
    ],
    [
      'what was written to the cache of an hour',
      { inputTokens: 9, cacheWriteTokens: 6, cacheWrite1hTokens: 5 },
      { inputTokens: 4, cacheWriteTokens: 3, cacheWrite1hTokens: 2 },
      { inputTokens: 5, cacheWriteTokens: 3, cacheWrite1hTokens: 3 },
    ],
  ])('of %s is taken apart into the same counts, and no others', (_, whole, part, rest) => {
    const usages = entriesOfSpan(span(whole, [answer('a', part)]), {}).map(({ usage }) => usage);
    expect(usages).toStrictEqual([part, rest]);
  });

  test('has no entry for an answer that took nothing, or of which nobody knows what it took', () => {
    const usage = { inputTokens: 5 };
    const answers = [answer('open', undefined), answer('empty', { inputTokens: 0 }), answer('a', usage)];
    expect(entriesOfSpan(span(usage, answers), {}).map(({ id }) => id)).toEqual(['a']);
    expect(entriesOfSpan(span({}, []), {})).toEqual([]);
  });

  test.each([
    ['the answer', { cacheWrite1hTokens: 90 }, {}],
    ['the total', {}, { cacheWrite1hTokens: 90 }],
  ])('of which only %s tells how long caches last leaves no rest', (_, one, other) => {
    const used = { inputTokens: 100, cacheWriteTokens: 90 };
    const entries = entriesOfSpan(span({ ...used, ...other }, [answer('a', { ...used, ...one })]), {});
    expect(entries).toMatchObject([{ id: 'a', usage: used }]);
  });

  test('whose caches are more than its input is no more than its input', () => {
    const used = { inputTokens: 4, cacheReadTokens: 5, cacheWriteTokens: 6, cacheWrite1hTokens: 7 };
    const entries = entriesOfSpan(span(used, [answer('a', { inputTokens: 1, cacheReadTokens: 5 })]), {});
    expect(entries.map(({ usage }) => usage)).toMatchObject([
      { inputTokens: 1, cacheReadTokens: 1 },
      { inputTokens: 3, cacheReadTokens: 3, cacheWriteTokens: 0, cacheWrite1hTokens: 0 },
    ]);
  });

  test('may name a model with a mark behind it', () => {
    const usage = { inputTokens: 5 };
    const marked = span(usage, [answer('a', usage)], { models: [['opus[1m]', { usage, costUsd: 1 }]], costUsd: 1 });
    expect(entriesOfSpan(marked, {})).toMatchObject([{ id: 'a', model: 'opus[1m]', costUsd: 1 }]);
  });

  test.each<[string, readonly string[], string | undefined, string | undefined]>([
    ['is of the model with its very name', ['opus[1m]', 'opus'], 'opus', 'opus'],
    ['is of the model with its name and a mark', ['haiku', 'opus[1m]'], 'opus', 'opus[1m]'],
    ['is of the model with its name but another mark', ['haiku', 'opus[1m]'], 'opus[2m]', 'opus[1m]'],
    ['is of whom nobody could name, where its model is not there', ['haiku', 'unknown'], 'opus', 'unknown'],
    ['without a model is of whom nobody could name', ['haiku', 'unknown'], undefined, 'unknown'],
    ['without a model is of the only one that there is', ['opus'], undefined, 'opus'],
  ])('tells whose an answer is: it %s', (_, names, model, expected) => {
    const models = names.map((name) => [name, input(5)] as const);
    const whole = { inputTokens: 5 * names.length };
    const entries = entriesOfSpan(span(whole, [{ ...answer('a', { inputTokens: 3 }), model }], { models }), {});
    const own = entries.find(({ id }) => id === 'a');
    expect([own?.model, own?.usage]).toEqual([expected, { inputTokens: 3 }]);
    expect(sumOf(entries)).toEqual(whole);
  });

  test.each<[string, readonly string[], string | undefined]>([
    ['of another model than the only one', ['opus'], 'haiku'],
    ['of a model that none of several is', ['opus', 'haiku'], 'sonnet'],
    ['without a model, where there are several', ['opus', 'haiku'], undefined],
    ['whose name is nothing but another mark', ['[a]'], '[b]'],
  ])('has nothing for an answer %s, and says that it was there', (_, names, model) => {
    const models = names.map((name) => [name, input(5)] as const);
    const answers = [{ ...answer('a', { inputTokens: 3 }), model }];
    const entries = entriesOfSpan(span({ inputTokens: 5 * names.length }, answers, { models }), {});
    expect(entries.find(({ id }) => id === 'a')).toMatchObject({ model, usage: {}, isRest: false });
    expect(entries.filter(({ isRest }) => isRest).map((rest) => [rest.model, rest.usage])).toEqual(
      names.map((name) => [name, { inputTokens: 5 }]),
    );
  });

  test('whose models do not make the whole leaves the remainder to a model that nobody knows', () => {
    const whole = { inputTokens: 12 };
    const part = { models: [['opus', input(5)]] as const };
    expect(entriesOfSpan(span(whole, [], part), {})).toEqual([
      { id: 'rest opus k', time: 9, model: 'opus', usage: { inputTokens: 5 }, isRest: true },
      { id: 'rest  k', time: 9, model: undefined, usage: { inputTokens: 7 }, isRest: true },
    ]);
    const answers = [answer('a', { inputTokens: 3 }, 'haiku'), nameless('b', { inputTokens: 4 })];
    expect(entriesOfSpan(span(whole, answers, part), {}).map(({ id, model, usage }) => [id, model, usage])).toEqual([
      ['rest opus k', 'opus', { inputTokens: 5 }],
      ['a', undefined, { inputTokens: 3 }],
      ['b', undefined, { inputTokens: 4 }],
    ]);
  });

  test('of any figures is the sum of its entries', () => {
    const count = fc.nat(50);
    const usage = fc
      .record({ fresh: count, read: count, write: count, hour: count, output: count })
      .map(({ fresh, read, write, hour, output }) => ({
        inputTokens: fresh + read + write,
        cacheReadTokens: read,
        cacheWriteTokens: write,
        cacheWrite1hTokens: Math.min(hour, write),
        outputTokens: output,
      }));
    const model = fc.constantFrom('opus', 'haiku', 'other');
    const part = fc.record({ usage, costUsd: fc.option(fc.nat(100), { nil: undefined }) });
    fc.assert(
      fc.property(
        usage,
        fc.dictionary(model, part),
        fc.array(fc.record({ usage, model })),
        fc.option(fc.nat(100), { nil: undefined }),
        (whole, parts, answers, costUsd) => {
          const list = answers.map((one, index) => answer(`a${index}`, one.usage, one.model));
          const entries = entriesOfSpan(span(whole, list, { models: Object.entries(parts), costUsd }), {});
          expect(sumOf(entries)).toEqual(counted(whole));
          expect(costOf(entries) ?? 0).toBeCloseTo(costUsd ?? 0, 9);
          for (const { usage: one } of entries) expect(Object.values(one).every((value) => value >= 0)).toBe(true);
          expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
        },
      ),
      { numRuns: counts.runs },
    );
  });
});

describe('the cost of a total', () => {
  test('is shared out by weight, a model at a time', () => {
    const models = [
      ['opus', { usage: { inputTokens: 20, outputTokens: 0 }, costUsd: 8 }],
      ['haiku', { usage: { inputTokens: 5 }, costUsd: 1 }],
    ] as const;
    const entries = entriesOfSpan(
      span(
        { inputTokens: 25, outputTokens: 0 },
        [answer('a', { inputTokens: 15 }), answer('b', { inputTokens: 5 }), answer('c', { inputTokens: 5 }, 'haiku')],
        {
          models,
          costUsd: 9,
        },
      ),
      {},
    );
    expect(entries.map(({ id, costUsd }) => [id, costUsd])).toEqual([
      ['a', 6],
      ['b', 2],
      ['c', 1],
    ]);
  });

  test('is shared out by the prices of the table where there is one', () => {
    const prices = { opus: { input: 1, output: 3, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0 } };
    const whole = { inputTokens: 10, outputTokens: 10 };
    const answers = [answer('a', { inputTokens: 10 }), answer('b', { outputTokens: 10 })];
    const dear = span(whole, answers, { models: [['opus', { usage: whole, costUsd: 8 }]], costUsd: 8 });
    expect(costsOf(dear, prices)).toEqual({ a: 2, b: 6 });
    // Output is dearer, also where no table tells by how much.
    expect(costsOf(dear)['b']).toBeGreaterThan(4);
  });

  test('is shared out by what each answer cost, where all of them tell it', () => {
    const own = (id: string, costUsd: number | undefined) => ({ ...answer(id, { inputTokens: 5 }), costUsd });
    const more = { models: [['opus', input(10, 8)]] as const, costUsd: 8 };
    expect(costsOf(span({ inputTokens: 10 }, [own('a', 3), own('b', 1)], more))).toEqual({ a: 6, b: 2 });
    expect(costsOf(span({ inputTokens: 10 }, [own('a', 3), own('b', undefined)], more))).toEqual({ a: 4, b: 4 });
  });

  test('falls to models without a cost of their own by weight, as far as the others leave some', () => {
    const models = [
      ['opus', input(10, 6)],
      ['haiku', input(10)],
      ['sonnet', input(20)],
    ] as const;
    const answers = [answer('a', { inputTokens: 10 }), answer('b', { inputTokens: 10 }, 'haiku')];
    const whole = (costUsd: number) => span({ inputTokens: 40 }, answers, { models, costUsd });
    expect(costsOf(whole(9))).toEqual({ a: 6, b: 1, 'rest sonnet k': 2 });
    expect(costsOf(whole(6))).toEqual({ a: 6, b: undefined, 'rest sonnet k': undefined });
    // The whole is what was paid, though its parts say more.
    expect(costsOf(whole(3))).toEqual({ a: 3, b: undefined, 'rest sonnet k': undefined });
  });

  test('is the whole one also where the models say less of it', () => {
    const models = [
      ['opus', input(5, 4)],
      ['haiku', input(5, 2)],
    ] as const;
    const answers = [answer('a', { inputTokens: 5 }), answer('b', { inputTokens: 5 }, 'haiku')];
    expect(costsOf(span({ inputTokens: 10 }, answers, { models, costUsd: 9 }))).toEqual({ a: 6, b: 3 });
  });

  test('is a rest where it was paid for what no count shows', () => {
    expect(entriesOfSpan(span({}, [], { models: [], costUsd: 3 }), {})).toEqual([
      { id: 'rest of cost k', time: 9, usage: {}, costUsd: 3, isRest: true },
    ]);
    const free = { models: [['opus', input(5, 0)]] as const, costUsd: 3 };
    expect(costsOf(span({ inputTokens: 5 }, [answer('a', { inputTokens: 5 })], free))).toEqual({
      a: 0,
      'rest of cost k': 3,
    });
  });

  test('is none for counts that have no price', () => {
    const unpriced = { totalTokens: 7 };
    const whole = { inputTokens: 5, totalTokens: 7 };
    const models = [
      ['opus', input(5)],
      ['haiku', { usage: unpriced, costUsd: undefined }],
    ] as const;
    const answers = [answer('a', { inputTokens: 5 }), answer('b', unpriced, 'haiku')];
    expect(costsOf(span(whole, answers, { models, costUsd: 3 }))).toEqual({ a: 3, b: undefined });
    expect(costsOf(span(unpriced, [answer('b', unpriced)], { costUsd: 3 }))).toEqual({
      b: undefined,
      'rest of cost k': 3,
    });
  });

  test("is nobody's where nobody told the whole one", () => {
    const whole = { inputTokens: 5 };
    const models = [['opus', input(5, 4)]] as const;
    expect(costsOf(span(whole, [answer('a', whole)], { models }))).toEqual({ a: undefined });
  });
});

describe('an answer that no total covers', () => {
  const prices = { opus: { input: 4e6, output: 0, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0 } };
  const usage = { inputTokens: 2 };

  test('is what it says, and costs what it says before what the table does', () => {
    const told = { ...answer('a', usage), subagentId: 's', costUsd: 3 };
    expect(entryOfAnswer(told, prices)).toEqual({
      id: 'a',
      time: 5,
      model: 'opus',
      subagentId: 's',
      usage,
      costUsd: 3,
      isRest: false,
    });
    expect(entryOfAnswer({ ...told, costUsd: 0 }, prices)?.costUsd).toBe(0);
    expect(entryOfAnswer({ ...told, costUsd: undefined }, prices)?.costUsd).toBe(8);
  });

  test('has no cost where the table has no price for its model', () => {
    expect(entryOfAnswer(answer('a', usage, 'haiku'), prices)).toMatchObject({ id: 'a', costUsd: undefined });
    expect(entryOfAnswer(nameless('a', usage), prices)).toMatchObject({ id: 'a', costUsd: undefined });
  });

  test('is no entry when it took nothing, or when nobody knows what it took', () => {
    expect(entryOfAnswer(answer('a', undefined), prices)).toBeUndefined();
    expect(entryOfAnswer(answer('a', { inputTokens: 0 }), prices)).toBeUndefined();
  });
});
