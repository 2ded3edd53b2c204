import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { createPacer, type Pace, parseAmount, parseSpeed, STEADY_MS } from './pace.ts';

type Times = readonly (number | undefined)[];

/** The wait of each line. */
function waitsOf(times: Times, pace: Partial<Pace> = {}): number[] {
  const pacer = createPacer({ speed: 1, maxGapMs: 2000, ...pace });
  return [...times.flatMap((time) => pacer.add(time)), ...pacer.release()];
}

const _ = undefined;
const S = STEADY_MS;

describe('waits', () => {
  test.each<[string, Times, Partial<Pace>, number[]]>([
    ['none without lines', [], {}, []],
    ['are steady where no line has a time', [_, _, _], {}, [S, S, S]],
    ['are the time between lines that have one', [1000, 1500, 1510], {}, [S, 500, 10]],
    ['are shared by the lines between two times', [1000, _, _, 1300, 1400], {}, [S, 100, 100, 100, 100]],
    ['are steady before the first time and after the last', [_, 1000, _, _], {}, [S, S, S, S]],
    ['are capped, each by itself', [0, 3_600_000, _, 7_200_000], {}, [S, 2000, 2000, 2000]],
    ['are capped where told', [0, 5000, 20_000], { maxGapMs: 10_000 }, [S, 5000, 10_000]],
    ['are none with a cap of nothing', [0, _, 5000, _], { maxGapMs: 0 }, [0, 0, 0, 0]],
    ['are none for a line from the past, and counted from there', [5000, 1000, 1200], {}, [S, 0, 200]],
    ['shrink with the speed', [0, 1000, 100_000, _], { speed: 4 }, [S / 4, 250, 500, S / 4]],
    ['grow with a speed below one', [0, 1000, 100_000], { speed: 0.5 }, [S * 2, 2000, 4000]],
    ['are never more than a timer can do', [0, 1000], { speed: 1e-9 }, [2 ** 31 - 1, 2 ** 31 - 1]],
  ])('%s', (_name, times, pace, expected) => {
    expect(waitsOf(times, pace)).toEqual(expected);
  });

  test('after a release, a time is no longer counted from the one before', () => {
    const pacer = createPacer({ speed: 1, maxGapMs: 2000 });
    expect(pacer.add(1000)).toEqual([S]);
    expect(pacer.add(undefined)).toEqual([]);
    expect(pacer.release()).toEqual([S]);
    expect(pacer.release()).toEqual([]);
    expect(pacer.add(1900)).toEqual([S]);
    expect(pacer.add(2000)).toEqual([100]);
  });

  const anyTimes = fc.array(fc.option(fc.integer({ min: -1e6, max: 1e6 }), { nil: undefined }), { maxLength: 60 });
  const anyPace = fc.record({
    speed: fc.double({ min: 0.01, max: 1000, noNaN: true }),
    maxGapMs: fc.double({ min: 0, max: 1e5, noNaN: true }),
  });
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

  test('one for each line, never negative, never over the cap', () => {
    fc.assert(
      fc.property(anyTimes, anyPace, (times, pace) => {
        const waits = waitsOf(times, pace);
        expect(waits).toHaveLength(times.length);
        for (const wait of waits) {
          expect(wait).toBeGreaterThanOrEqual(0);
          expect(wait).toBeLessThanOrEqual(pace.maxGapMs / pace.speed);
        }
      }),
      { numRuns: counts.runs },
    );
  });

  test('are together no more than what was recorded and the steady parts', () => {
    fc.assert(
      fc.property(anyTimes, anyPace, (times, pace) => {
        const told = times.filter((time) => time !== undefined);
        const forward = sum(told.slice(1).map((time, index) => Math.max(time - (told[index] ?? 0), 0)));
        const first = times.findIndex((time) => time !== undefined);
        const after = [...times].reverse().findIndex((time) => time !== undefined);
        const steady = first < 0 ? times.length : first + 1 + after;
        expect(sum(waitsOf(times, pace)) * pace.speed).toBeLessThanOrEqual(forward + steady * STEADY_MS + 1e-3);
      }),
      { numRuns: counts.runs },
    );
  });

  test('are exactly what was recorded when no gap is over the cap', () => {
    fc.assert(
      fc.property(anyTimes, (times) => {
        const sorted = times.filter((time) => time !== undefined).sort((a, b) => a - b);
        const span = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
        const waits = waitsOf(sorted, { maxGapMs: Number.POSITIVE_INFINITY });
        expect(sum(waits.slice(1))).toBeCloseTo(span, 6);
      }),
      { numRuns: counts.runs },
    );
  });
});

describe('a number on the command line', () => {
  test.each([
    ['0', 0],
    ['1', 1],
    ['2.5', 2.5],
    ['1e3', 1000],
  ])('%s is one', (text, expected) => {
    expect(parseSpeed(text)).toBe(expected);
  });

  test('is 1 for the speed when none is given', () => {
    expect(parseSpeed()).toBe(1);
  });

  test.each(['', ' ', 'fast', '-1', 'Infinity', 'NaN', '1x'])('"%s" is none', (text) => {
    expect(() => parseAmount('--max-gap', text)).toThrow(`--max-gap takes a number, not "${text}"`);
  });
});
