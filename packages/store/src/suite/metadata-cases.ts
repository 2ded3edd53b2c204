// What is asked of a session's row of totals.

import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { Metadata, RunTotals } from '../contract.ts';

const run: RunTotals = {
  runId: 'run-1',
  sessionId: 'one',
  inputTokens: 10,
  outputTokens: 5,
  costUsd: 0.25,
  model: 'a',
};

export const metadataCases: Readonly<Record<string, (metadata: Metadata) => Promise<void>>> = {
  '[G-09] totals of runs are added up, each once': async (metadata) => {
    await metadata.create('one');
    strictEqual(await metadata.add(run), 'added');
    strictEqual(await metadata.add(run), 'repeated');
    strictEqual(await metadata.add({ ...run, runId: 'run-2', inputTokens: 1, outputTokens: 2, costUsd: 0.5 }), 'added');
    const { updatedAt, ...totals } = (await metadata.get('one')) ?? { updatedAt: 0 };
    ok(updatedAt > 0);
    deepStrictEqual(totals, {
      sessionId: 'one',
      totalInputTokens: 11,
      totalOutputTokens: 7,
      totalCostUsd: 0.75,
      model: 'a',
    });
  },

  '[G-09] a run without a model keeps the one that is known, one with another replaces it': async (metadata) => {
    await metadata.create('one', 'first');
    const { model: _, ...nameless } = run;
    await metadata.add(nameless);
    strictEqual((await metadata.get('one'))?.model, 'first');
    await metadata.add({ ...run, runId: 'run-2', model: 'second' });
    strictEqual((await metadata.get('one'))?.model, 'second');
    await metadata.create('one', 'third');
    strictEqual((await metadata.get('one'))?.model, 'second');
    strictEqual((await metadata.get('one'))?.totalInputTokens, 20);
  },

  '[G-09] nothing is written when there is nothing to add': async (metadata) => {
    await metadata.create('one');
    const before = await metadata.get('one');
    const empty = { ...run, inputTokens: 0, outputTokens: 0, costUsd: 0 };
    strictEqual(await metadata.add(empty), 'nothing');
    deepStrictEqual(await metadata.get('one'), before);
    // It was not a run that counted: its totals may still come.
    strictEqual(await metadata.add(run), 'added');
  },

  '[G-09] an unknown session is a warning': async (metadata) => {
    const result = await metadata.add(run);
    ok(typeof result === 'object' && result.warning.includes('one'));
    strictEqual(await metadata.get('one'), undefined);
    await metadata.create('one');
    strictEqual(await metadata.add(run), 'added');
  },

  '[G-09] other sessions are left alone': async (metadata) => {
    await metadata.create('one');
    await metadata.create('two');
    const before = await metadata.get('two');
    await metadata.add(run);
    deepStrictEqual(await metadata.get('two'), before);
  },
};
