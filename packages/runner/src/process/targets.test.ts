import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import type { ProcessEntry, ProcessTable } from './entry.ts';
import { followDescendants } from './follow.ts';
import { findTargets, type Remembered } from './targets.ts';

const SELF = 50;
const AGENT = { pid: 100, startTime: 't100' };
const RUN = { runId: 'run', agent: AGENT };

interface Sketch {
  readonly parent?: number;
  readonly group?: number;
  readonly startTime?: string;
  readonly isZombie?: boolean;
  readonly mark?: string;
}

function entry(pid: number, { mark, ...rest }: Sketch = {}): ProcessEntry {
  const hasMarker = (runId: string): boolean => runId === mark;
  return { pid, parent: 1, group: pid, startTime: `t${pid}`, isZombie: false, hasMarker, ...rest };
}

const pidsOf = (list: readonly ProcessEntry[]): number[] => list.map(({ pid }) => pid).sort((a, b) => a - b);
const find = (list: readonly ProcessEntry[], run = RUN as Parameters<typeof findTargets>[1]): number[] =>
  pidsOf(findTargets(list, run, SELF));

/** Always there: the first process, the caller, and a stranger. */
const OTHERS = [entry(1, { parent: 0 }), entry(SELF), entry(60)];

describe('the processes of a run', () => {
  test('are those of the group, the descendants, and those that bear its mark', () => {
    const list = [
      ...OTHERS,
      entry(100, { parent: SELF }),
      entry(101, { parent: 100, group: 100 }),
      entry(102, { parent: 1, group: 100 }),
      entry(103, { parent: 100, group: 103 }),
      entry(104, { parent: 103, group: 104 }),
      entry(105, { mark: 'run' }),
      entry(106, { parent: 105 }),
      entry(107, { mark: 'another' }),
    ];
    expect(find(list)).toEqual([100, 101, 102, 103, 104, 105, 106]);
  });

  test('are found when the agent itself is gone', () => {
    expect(find([...OTHERS, entry(102, { group: 100 }), entry(105, { mark: 'run' })])).toEqual([102, 105]);
  });

  test('are found by the mark alone while nobody knows the agent', () => {
    expect(find([...OTHERS, entry(100, { mark: 'run' }), entry(101, { parent: 100 })], { runId: 'run' })).toEqual([
      100, 101,
    ]);
  });

  test('are not those of a later process that got the number of the agent', () => {
    const later = entry(100, { startTime: 'later' });
    expect(find([...OTHERS, later, entry(101, { parent: 100 }), entry(102, { group: 100 })])).toEqual([]);
  });

  test('are never the caller, nor the first process, nor what only these lead to', () => {
    const list = [
      entry(1, { parent: 0, mark: 'run' }),
      entry(SELF, { group: 100, mark: 'run' }),
      entry(60),
      entry(61, { parent: SELF }),
    ];
    expect(find(list)).toEqual([]);
  });

  test('do not include the caller where it descends from the run', () => {
    expect(find([...OTHERS.filter(({ pid }) => pid !== SELF), entry(100), entry(SELF, { parent: 100 })])).toEqual([
      100,
    ]);
  });

  test('are not the dead', () => {
    const list = [
      entry(100, { isZombie: true }),
      entry(101, { parent: 100, isZombie: true }),
      entry(105, { mark: 'run', isZombie: true }),
    ];
    expect(find([...OTHERS, ...list])).toEqual([]);
  });

  test('stay known when what led to them is gone', () => {
    const remembered: Remembered = new Map();
    findTargets([...OTHERS, entry(100), entry(101, { parent: 100, group: 101 })], RUN, SELF, remembered);
    const orphan = entry(101, { parent: 1, group: 101 });
    expect(pidsOf(findTargets([...OTHERS, orphan], RUN, SELF, remembered))).toEqual([101]);
    const later = entry(101, { startTime: 'later' });
    expect(findTargets([...OTHERS, later], RUN, SELF, remembered)).toEqual([]);
  });

  test('are found whatever the list is, circles included, and each once', () => {
    const numbers = fc.integer({ min: 0, max: 12 });
    const anybody = fc.record({
      pid: numbers,
      parent: numbers,
      group: numbers,
      isZombie: fc.boolean(),
      mark: fc.constantFrom('run', 'no'),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(anybody, { selector: ({ pid }) => pid }),
        numbers,
        numbers,
        (sketches, self, agent) => {
          const list = sketches.map(({ pid, ...rest }) => entry(pid, rest));
          const found = findTargets(list, { runId: 'run', agent: { pid: agent, startTime: `t${agent}` } }, self);
          const pids = pidsOf(found);
          expect(new Set(pids).size).toBe(pids.length);
          expect(found.some(({ pid, isZombie }) => pid === self || pid <= 1 || isZombie)).toBe(false);
          const marked = list.filter((one) => one.hasMarker('run') && one.pid > 1 && one.pid !== self && !one.isZombie);
          expect(pids).toEqual(expect.arrayContaining(pidsOf(marked)));
        },
      ),
      { numRuns: counts.runs },
    );
  });
});

test('descendants are followed while their parents live, and the dead are forgotten', () => {
  const children = new Map([
    [100, [101, 102]],
    [101, [103]],
  ]);
  const alive = new Map([100, 101, 102, 103].map((pid) => [pid, `t${pid}`]));
  const table: ProcessTable = {
    list: () => [],
    startTimeOf: (pid) => alive.get(pid),
    childrenOf: (pid) => children.get(pid) ?? [],
  };
  const remembered: Remembered = new Map([[100, 't100']]);
  followDescendants(remembered, table);
  expect([...remembered.keys()]).toEqual([100, 101, 102, 103]);
  // The number of 101 is given to another, who has children of its own.
  alive.set(101, 'later').delete(100);
  children.set(101, [104]).delete(100);
  alive.set(104, 't104');
  followDescendants(remembered, table);
  expect([...remembered.keys()]).toEqual([102, 103]);
});
