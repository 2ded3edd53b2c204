import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { type Call, createDisk, readCalls } from './power-cut.ts';
import { ended, hindrance, makePrograms, type Programs, readAcks } from './programs.ts';
import { createRandom, type Random } from './random.ts';
import { findLosses, parseAcks } from './verify.ts';
import type { WriterOptions } from './writer.ts';

const WORK: WriterOptions = { streams: 3, lines: 400, batch: 5, checkpoint: 60 };
/** Whoever comes next goes on in the same home; after so many it is a new one, so that its making is hit too. */
const DEATHS_PER_HOME = 10;

let programs: Programs;
beforeAll(async () => {
  programs = await makePrograms();
});
afterAll(() => programs.remove());

test('kill -9 at any moment: no acknowledged line is lost, no hole', async () => {
  await forEachHome(counts.writerKills, DEATHS_PER_HOME, async (home, random) => {
    const said = readAcks(home).length;
    const child = programs.start(home, { ...WORK, lines: 1_000_000 });
    const end = ended(child);
    // Some die while they begin, most somewhere in their work.
    const enough = said + Math.floor(random() ** 2 * 3000);
    await until(() => readAcks(home).length >= enough);
    child.kill('SIGKILL');
    expect(await end).toBe('killed');
  });
});

const needsLibrary = describe.skipIf(hindrance !== undefined);

needsLibrary(`broken calls${hindrance === undefined ? '' : ` (skipped: ${hindrance})`}`, () => {
  test('death in the middle of the Nth write: no acknowledged line is lost, no hole', async () => {
    let died = 0;
    await forEachHome(counts.writeDeaths, DEATHS_PER_HOME, async (home, random) => {
      const how = await programs.run(home, WORK, { at: 1 + Math.floor(random() * 900), how: 'kill' });
      if (how === 'killed') died++;
    });
    expect(died).toBeGreaterThan(counts.writeDeaths * 0.8);
  });

  test('an I/O error or a full disk at the Nth call: told by its class, nothing acknowledged is lost, also in a power cut after it', async () => {
    const errors = new Set<string>();
    // A home for each: what is done to look at it would be missing in the log.
    await forEachHome(counts.ioErrors, 1, async (home, random) => {
      const at = 1 + Math.floor(random() * 700);
      const count = random() < 0.5 ? 1 : 1 + Math.floor(random() * 12);
      const how = random() < 0.6 ? 'EIO' : 'ENOSPC';
      const log = `${home}.log`;
      expect(await programs.run(home, { ...WORK, lines: 100 }, { at, count, how, log })).toBe('exit');
      for (const error of parseAcks(readAcks(home)).errors) errors.add(error);
      await cutAfterErrors(log, random);
    });
    expect(errors.size).toBeGreaterThan(0);
    for (const error of errors) expect(['io', 'full']).toContain(error);
  });

  test('a folder that cannot be synced: nothing is acknowledged that a power cut would take away', async () => {
    const random = createRandom(1);
    let hits = 0;
    for (let at = 1; at <= counts.brokenMakings; at++) {
      const log = `${programs.makeHome()}.log`;
      const home = log.slice(0, -'.log'.length);
      expect(await programs.run(home, { ...WORK, lines: 20 }, { at, how: 'EIO', log })).toBe('exit');
      const calls = readCalls(log);
      // The only thing with such a name that is ever synced.
      if (!calls.some(({ kind, isFailed, path }) => kind === 's' && isFailed && !path.includes('.db'))) continue;
      hits++;
      for (let count = 0; count < 10; count++) await cutAt(calls, calls.length, random);
    }
    expect(hits).toBeGreaterThan(0);
  });

  test('while the store is made, each call that fails is told by its class', async () => {
    for (let at = 1; at <= 8; at++) {
      const home = programs.makeHome();
      expect(await programs.run(home, { ...WORK, lines: 5 }, { at, how: 'ENOSPC' })).toBe('exit');
      for (const error of parseAcks(readAcks(home)).errors) expect(['io', 'full']).toContain(error);
    }
  });
});

/** The power goes at some moment of what the writer did, before or after its errors. */
async function cutAfterErrors(log: string, random: Random): Promise<void> {
  const calls = readCalls(log);
  await cutAt(calls, Math.floor(random() * calls.length), random);
}

async function cutAt(calls: readonly Call[], moment: number, random: Random): Promise<void> {
  const disk = createDisk();
  for (const call of calls.slice(0, moment)) disk.apply(call, random);
  const left = join(programs.folder, 'after-error');
  disk.cut(left, random);
  expect(await findLosses(left, parseAcks(disk.acks()).acked)).toEqual([]);
}

/** After each round everything that was acknowledged in its home must be there. */
async function forEachHome(
  rounds: number,
  perHome: number,
  round: (home: string, random: Random) => Promise<void>,
): Promise<void> {
  const seed = Date.now() % 1_000_000;
  const random = createRandom(seed);
  let home = '';
  for (let number = 0; number < rounds; number++) {
    if (number % perHome === 0) home = programs.makeHome();
    await round(home, random);
    const losses = await findLosses(home, parseAcks(readAcks(home)).acked);
    expect(losses, `round ${number} with seed ${seed}`).toEqual([]);
  }
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error('the writer does not write');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
