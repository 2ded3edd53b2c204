import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { createDisk, readCalls } from './power-cut.ts';
import { hindrance, makePrograms, type Programs } from './programs.ts';
import { createRandom, type Random } from './random.ts';
import { findLosses, parseAcks } from './verify.ts';
import type { WriterOptions } from './writer.ts';

const WORK: WriterOptions = { streams: 3, lines: 400, batch: 10 };

let programs: Programs;
beforeAll(async () => {
  programs = await makePrograms();
});
afterAll(() => programs.remove());

describe.skipIf(hindrance !== undefined)(
  `power cuts${hindrance === undefined ? '' : ` (skipped: ${hindrance})`}`,
  () => {
    test('no acknowledged line is lost in a power cut', async () => {
      const seed = Date.now() % 1_000_000;
      const random = createRandom(seed);
      // Pages move to the database all the time, as by default, and while the file is made.
      const ways = [{ checkpoint: 30 }, { checkpoint: 200 }, {}, { lines: 20 }];
      const losses: string[] = [];
      for (const way of ways) {
        losses.push(
          ...(await replay({ ...WORK, ...way }, counts.powerCuts / ways.length, random)).map(
            (loss) => `seed ${seed}: ${loss}`,
          ),
        );
      }
      expect(losses).toEqual([]);
    });

    test('the same replay finds losses where commits are not synced', async () => {
      const losses = await replay({ ...WORK, synchronous: 'NORMAL' }, 20, createRandom(1));
      expect(losses.filter((loss) => loss.includes('were acknowledged')).length).toBeGreaterThan(5);
    });
  },
);

/** Runs a writer, and cuts the power at random moments of what it did. */
async function replay(options: WriterOptions, cuts: number, random: Random): Promise<string[]> {
  const home = programs.makeHome();
  const log = `${home}.log`;
  expect(await programs.run(home, options, { log })).toBe('exit');
  const calls = readCalls(log);
  const moments = Array.from({ length: cuts }, () => Math.floor(random() * calls.length)).sort((a, b) => a - b);
  const disk = createDisk();
  const losses: string[] = [];
  let done = 0;
  for (const moment of moments) {
    for (; done < moment; done++) {
      const call = calls[done];
      if (call !== undefined) disk.apply(call, random);
    }
    const left = join(programs.folder, 'after-cut');
    disk.cut(left, random);
    losses.push(
      ...(await findLosses(left, parseAcks(disk.acks()).acked)).map((loss) => `after call ${moment}: ${loss}`),
    );
  }
  return losses;
}
