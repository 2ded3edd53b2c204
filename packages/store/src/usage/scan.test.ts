// The quick count is the slow count, and both are what was served.

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { tree } from '../../test/usage/generated.ts';
import { comparable, countSlowly, type RecordedTree, recordedTrees, withTree } from '../../test/usage/trees.ts';
import type { UsageEntry } from '../contract.ts';
import { loadPrices } from './prices.ts';
import { scanUsage } from './scan.ts';

describe.each(recordedTrees)('$name', (one) => {
  test('is counted as the whole parse counts it', async () => {
    await withTree(one.files, async (folder) => {
      const entries = [...(await scanUsage({ dirs: [folder], workers: 0 })).entries];
      expect(comparable(entries)).toEqual(comparable(countSlowly(folder)));
    });
  });

  test('is what was served, and what it cost', async () => {
    await withTree(one.files, async (folder) => {
      const entries = [...(await scanUsage({ dirs: [folder], workers: 0 })).entries];
      const prices = await loadPrices(entries.flatMap(({ model }) => model ?? []));
      const { tokens, costUsd } = truthOf(one);
      if (tokens) expect(sumOf(entries)).toEqual(tokens);
      const cost = entries.reduce(
        (sum, entry) => sum + (entry.costUsd ?? prices.costOf(entry.model, entry, entry.at) ?? 0),
        0,
      );
      if (costUsd !== undefined) expect(cost).toBeCloseTo(costUsd, 9);
    });
  });
});

test('made-up trees are counted as the whole parse counts them', async () => {
  await fc.assert(
    fc.asyncProperty(tree, async (files) => {
      await withTree(files, async (folder) => {
        const entries = [...(await scanUsage({ dirs: [folder], workers: 0 })).entries];
        expect(comparable(entries)).toEqual(comparable(countSlowly(folder)));
      });
    }),
    { numRuns: counts.usageTrees },
  );
});

test('a mark before the first line is no part of it', async () => {
  const line = '{"type":"assistant","uuid":"u","message":{"id":"a","usage":{"output_tokens":3}}}';
  for (const text of [`\ufeff${line}\n`, `\ufeff${line}`, `\ufeff${line}\r\n`, `\ufeff\n${line}\n`]) {
    await withTree(new Map([['p/a.jsonl', text]]), async (folder) => {
      const { entries } = await scanUsage({ dirs: [folder], workers: 0 });
      expect(Array.from(entries, ({ id }) => id)).toEqual(['a']);
    });
  }
});

test('a folder that cannot be read is told', async () => {
  const files = new Map([
    ['open/a.jsonl', ''],
    ['shut/b.jsonl', ''],
  ]);
  await withTree(files, async (folder) => {
    const shut = join(folder, 'shut');
    chmodSync(folder, 0o755);
    chmodSync(shut, 0);
    const isRoot = process.geteuid?.() === 0;
    try {
      // Nothing is shut for the superuser.
      if (isRoot) process.seteuid?.(65534);
      expect((await scanUsage({ dirs: [folder], workers: 0 })).unread).toEqual([shut]);
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(shut, 0o755);
    }
  });
});

// ── The truth, with every exception ───────────────────────────────────────────────────────────────

interface Tokens {
  readonly input: number;
  readonly read: number;
  readonly write: number;
  readonly output: number;
}

/** The history of these runs is in the file as well: the truth is that of all of them. */
const EARLIER: Readonly<Record<string, readonly string[]>> = {
  'resume-fork.run2': ['resume-fork.run1'],
  'resume-fork.run3': ['resume-fork.run1', 'resume-fork.run2'],
};
/** The runs before it were not kept, so nobody tells what they were served; the cost goes on over them. */
const UNTOLD = ['session-chain.run4'];
/** The agent counts a call whose stream broke with what it was told when the call began. One that was interrupted it does not count. */
const CUT = /^(cut-|subagent-cut)/;
/** No result told a cost, or only that of a part of the run: the files know all of it. */
const COSTS: Readonly<Record<string, number>> = {
  // Two sessions, of which the result told one; both together are what was served, by the price of the model.
  clear: 0.005901,
  // Killed before a result: what was served, by the price of the model.
  sigkill: 1.20081,
  sigterm: 0.0023,
};

function truthOf(one: RecordedTree): { readonly tokens: Tokens | undefined; readonly costUsd: number | undefined } {
  const { expected, name } = one;
  const started = CUT.test(name) ? (expected.incomplete_calls ?? []).map((call) => call.usage_in_message_start) : [];
  const earlier = (EARLIER[name] ?? []).map((other) => {
    const found = recordedTrees.find((tree) => tree.name === other);
    if (!found) throw new Error(`no recording is called ${other}`);
    return found.expected.tokens_served_total;
  });
  const served = [expected.tokens_served_total, ...started, ...earlier];
  const sum = (key: string): number => served.reduce((total, usage) => total + (usage[key] ?? 0), 0);
  const [read, write] = [sum('cache_read_input_tokens'), sum('cache_creation_input_tokens')];
  const tokens = { input: sum('input_tokens') + read + write, read, write, output: sum('output_tokens') };
  return {
    tokens: UNTOLD.includes(name) ? undefined : tokens,
    costUsd: COSTS[name] ?? expected.total_cost_usd ?? undefined,
  };
}

function sumOf(entries: readonly UsageEntry[]): Tokens {
  const sum = (of: (entry: UsageEntry) => number): number => entries.reduce((total, entry) => total + of(entry), 0);
  return {
    input: sum((entry) => entry.inputTokens),
    read: sum((entry) => entry.cacheReadTokens),
    write: sum((entry) => entry.cacheWriteTokens),
    output: sum((entry) => entry.outputTokens),
  };
}
