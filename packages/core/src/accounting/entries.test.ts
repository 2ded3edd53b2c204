// A total taken apart into its answers and a rest.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { costOf, counted, sumOf } from '../../test/bill.ts';
import type { Usage } from '../event/event.ts';
import { entriesOfSpan, type Span } from './entries.ts';

describe('a total', () => {
  const answer = (id: string, usage: Usage, model = 'opus'): Span['answers'][number] => ({
    id,
    time: 5,
    model,
    subagentId: undefined,
    usage,
    costUsd: undefined,
  });
  const span = (usage: Usage, answers: Span['answers'], more: Partial<Span> = {}): Span => ({
    key: 'k',
    time: 9,
    usage,
    models: [['opus', { usage, costUsd: undefined }]],
    costUsd: undefined,
    answers,
    ...more,
  });

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

  test('may name a model with a mark behind it, and be paid for what no count shows', () => {
    const usage = { inputTokens: 5 };
    const marked = span(usage, [answer('a', usage)], { models: [['opus[1m]', { usage, costUsd: 1 }]], costUsd: 1 });
    expect(entriesOfSpan(marked, {})).toMatchObject([{ id: 'a', model: 'opus[1m]', costUsd: 1 }]);
    expect(entriesOfSpan(span({}, [], { models: [], costUsd: 3 }), {})).toEqual([
      { id: 'rest of cost k', time: 9, usage: {}, costUsd: 3, isRest: true },
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
