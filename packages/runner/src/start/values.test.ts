import type { StartOptions } from '@tailrace/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { isTailraceError } from './errors.ts';
import { checkArguments, checkStart } from './values.ts';

/** The message of what is thrown; undefined when nothing is. */
function complaint(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return isTailraceError(error) && error.code === 'value-refused' ? error.message : `not ours: ${error}`;
  }
}

const TEXTS = ['model', 'resume', 'promptId', 'sessionId', 'permissionMode'] as const;
const LISTS = ['allow', 'deny', 'mcpConfig', 'addDirs', 'forbid'] as const;
const every = (value: string): [string, () => void][] => [
  ...TEXTS.map((name): [string, () => void] => [name, () => checkStart({ prompt: 'p', [name]: value })]),
  ...LISTS.map((name): [string, () => void] => [name, () => checkStart({ prompt: 'p', [name]: ['good', value] })]),
  ['cwd', () => checkStart({ prompt: 'p' }, value)],
];

describe('[T-13] no value can become a flag', () => {
  test.each([
    ['--dangerously-skip-permissions', 'begins with a dash'],
    ['-p', 'begins with a dash'],
    ['-', 'begins with a dash'],
    ['', 'is empty'],
    ['a\0b', 'has a NUL'],
    ['a\ud800', 'lone surrogate'],
    ['\udc00b', 'lone surrogate'],
  ])('%j is refused for every option, by name and value', (value, why) => {
    for (const [name, act] of every(value)) {
      const message = complaint(act);
      expect(message).toContain(why);
      expect(message).toContain(`${name} ${JSON.stringify(value)}`);
    }
  });

  test.each([
    'opus',
    'Bash(git log:*)',
    '/a b/c',
    '{"mcpServers":{}}',
    'a-b',
    'ünï 😀',
    ' -x',
    'a\nb',
    '%PATH%',
    '$(id)',
  ])('%j is let through', (value) => {
    for (const [, act] of every(value)) expect(complaint(act)).toBeUndefined();
  });

  test('any string that is let through has no dash in front and is the same after UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const isFine = complaint(() => checkStart({ prompt: 'p', model: value })) === undefined;
        const arrives = Buffer.from(value, 'utf8').toString('utf8') === value && !value.includes('\0');
        expect(isFine).toBe(arrives && value !== '' && !value.startsWith('-'));
        expect(complaint(() => checkArguments(['--', value])) === undefined).toBe(arrives);
      }),
      { numRuns: counts.runs },
    );
  });

  test('a prompt is no argument: it may be anything', () => {
    expect(complaint(() => checkStart({ prompt: '--settings={"hooks":{}}' }))).toBeUndefined();
  });

  test.each([
    [{ maxTurns: -1 }, 'maxTurns "-1"'],
    [{ maxTurns: Number.NaN }, 'maxTurns "NaN"'],
    [{ maxBudgetUsd: 0 }, 'maxBudgetUsd "0"'],
    [{ maxBudgetUsd: Number.POSITIVE_INFINITY }, 'maxBudgetUsd "Infinity"'],
    [{ maxTurns: 3, maxBudgetUsd: 0.5 }, undefined],
  ] as [Partial<StartOptions>, string | undefined][])('%j', (options, expected) => {
    const message = complaint(() => checkStart({ prompt: 'p', ...options }));
    if (expected === undefined) expect(message).toBeUndefined();
    else expect(message).toContain(expected);
  });

  test('a long value is not repeated whole', () => {
    expect(complaint(() => checkStart({ prompt: 'p', model: `-${'x'.repeat(10_000)}` }))?.length).toBeLessThan(300);
  });
});

test('an error of another copy of this package is known by its mark', () => {
  const foreign = { isTailraceError: true, code: 'x' };
  expect([foreign, new Error('x'), null, 'x'].map(isTailraceError)).toEqual([true, false, false, false]);
});
