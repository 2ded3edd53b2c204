import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConnection } from '../../src/sqlite/open.ts';
import { createRecord } from '../../src/sqlite/record.ts';
import { makePrograms, type Programs, readAcks } from './programs.ts';
import { findLosses, parseAcks } from './verify.ts';

let programs: Programs;
beforeAll(async () => {
  programs = await makePrograms();
});
afterAll(() => programs.remove());

test('several processes write at once, also to a file that none of them has made before', async () => {
  const home = programs.makeHome();
  const names = ['a', 'b', 'c', 'd'];
  const ends = await Promise.all(names.map((name) => programs.run(home, { name, streams: 2, lines: 300, batch: 3 })));
  expect(ends).toEqual(['exit', 'exit', 'exit', 'exit']);
  const { acked, errors } = parseAcks(readAcks(home));
  expect(errors).toEqual([]);
  expect([...acked.values()]).toEqual(Array(8).fill(300));
  expect(await findLosses(home, acked)).toEqual([]);

  const connection = await openConnection({ file: join(home, 'tailrace.db') });
  const record = createRecord(connection);
  const next = new Map<string, number>();
  let last = 0;
  for (;;) {
    const piece = await record.after(last, 500);
    if (piece.length === 0) break;
    for (const { position, stream, seq } of piece) {
      expect(position).toBeGreaterThan(last);
      expect(seq).toBe((next.get(stream) ?? 0) + 1);
      next.set(stream, seq);
      last = position;
    }
  }
  expect(last).toBe(8 * 300);
  connection.close();
});

test('several processes want the same streams: one has them at a time, and none is written twice', async () => {
  const home = programs.makeHome();
  const work = { streams: 2, lines: 60, batch: 3 };
  await Promise.all([1, 2, 3].map(() => programs.run(home, work)));
  const { acked, errors } = parseAcks(readAcks(home));
  // Whether they meet at all is for the machine to say.
  expect(errors.filter((error) => error !== 'busy')).toEqual([]);
  expect(acked).toEqual(
    new Map([
      ['stream-1', 180],
      ['stream-2', 180],
    ]),
  );
  expect(await findLosses(home, acked)).toEqual([]);
});
