import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { NewLine } from '../contract.ts';
import { openConnection } from './open.ts';
import { createRecord } from './record.ts';

const FIXTURES = fileURLToPath(new URL('../../../../fixtures', import.meta.url));

const captures = readdirSync(FIXTURES, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(nd)?jsonl?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((path) => !path.endsWith('.events.json') && !path.endsWith('.meta.json'));

test('[R-08] every capture is written out again byte for byte, after closing and opening', async () => {
  expect(captures.length).toBeGreaterThan(500);
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-captures-'));
  const file = join(folder, 'tailrace.db');
  try {
    const connection = await openConnection({ file });
    const record = createRecord(connection);
    for (const path of captures) {
      const name = relative(FIXTURES, path);
      await record.claim(name, { kind: 'run', path });
      const lines = splitLines(readFileSync(path));
      // In several calls that are made together, and some of them twice.
      const calls = cut(lines, 7).flatMap(([first, some], index) =>
        index % 3 === 0
          ? [
              [first, some],
              [first, some],
            ]
          : [[first, some]],
      );
      await Promise.all(calls.map(([first, some]) => record.append(name, first as number, some as NewLine[])));
    }
    await record.close();
    connection.close();

    const again = await openConnection({ file, readOnly: true });
    const reader = createRecord(again);
    const differing: string[] = [];
    for (const path of captures) {
      const pieces: Uint8Array[] = [];
      for await (const piece of reader.read(relative(FIXTURES, path))) pieces.push(...piece.map(({ bytes }) => bytes));
      if (!Buffer.concat(pieces).equals(readFileSync(path))) differing.push(path);
    }
    expect(differing).toEqual([]);
    again.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Each with its line feed; the last may have none. */
function splitLines(bytes: Buffer): NewLine[] {
  const lines: NewLine[] = [];
  for (let start = 0; start < bytes.length; ) {
    const feed = bytes.indexOf(10, start);
    const end = feed < 0 ? bytes.length : feed + 1;
    lines.push({ at: lines.length, source: 'stdout', bytes: bytes.subarray(start, end) });
    start = end;
  }
  return lines;
}

function cut(lines: readonly NewLine[], size: number): [number, NewLine[]][] {
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, index) => [
    index * size + 1,
    lines.slice(index * size, (index + 1) * size),
  ]);
}
