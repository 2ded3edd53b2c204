// Opens what is left of a store and compares it with what was acknowledged.

import { join } from 'node:path';
import { openConnection } from '../../src/sqlite/open.ts';
import { createRecord } from '../../src/sqlite/record.ts';
import { lineOf } from './lines.ts';

/** What the writer said: how far each stream was acknowledged, and which errors there were. */
export function parseAcks(text: string): {
  readonly acked: ReadonlyMap<string, number>;
  readonly errors: readonly string[];
} {
  const acked = new Map<string, number>();
  const errors: string[] = [];
  // The last line may be torn.
  for (const line of text.split('\n').slice(0, -1)) {
    const [name = '', rest = ''] = line.split(' ');
    if (name === 'error') errors.push(line.slice(6));
    else if (name !== 'done') acked.set(name, Number(rest));
  }
  return { acked, errors };
}

/** What is wrong: lost lines, holes, wrong bytes, damage. Empty is what is promised. */
export async function findLosses(home: string, acked: ReadonlyMap<string, number>): Promise<readonly string[]> {
  const losses: string[] = [];
  try {
    const connection = await openConnection({ file: join(home, 'tailrace.db') });
    const integrity = String(connection.raw.pragma('integrity_check', { simple: true }));
    if (integrity !== 'ok') losses.push(`integrity: ${integrity}`);
    const record = createRecord(connection);
    const lengths = new Map<string, number>();
    for (const { name, nextSeq } of await record.streams()) {
      let seq = 0;
      for await (const piece of record.read(name)) {
        for (const line of piece) {
          seq++;
          if (line.seq !== seq) losses.push(`${name}: ${line.seq} follows ${seq - 1}`);
          if (!Buffer.from(lineOf(name, line.seq).bytes).equals(line.bytes))
            losses.push(`${name}: ${line.seq} is another line`);
        }
      }
      if (nextSeq !== seq + 1) losses.push(`${name}: the next is said to be ${nextSeq} after ${seq}`);
      lengths.set(name, seq);
    }
    for (const [name, seq] of acked) {
      const have = lengths.get(name) ?? 0;
      if (have < seq) losses.push(`${name}: ${seq} were acknowledged, ${have} are there`);
    }
    connection.close();
  } catch (error) {
    losses.push(`cannot be opened: ${String(error)}`);
  }
  return losses;
}
