// The recordings in a folder: `NAME.ndjson` is what a program printed, `NAME.stdin.ndjson` what it was told.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDecoder, type RecordedLine, type Recording } from '@tailrace/core';
import { createPacer, type Pace } from '../input/pace.ts';

const PRINTED = '.ndjson';
const HEARD = '.stdin.ndjson';

/** In the order of their names. Without a pace nothing waits. */
export function loadRecordings(folder: string, pace: Pace | undefined): readonly Recording[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(PRINTED) && !file.endsWith(HEARD))
    .map((file) => join(folder, file.slice(0, -PRINTED.length)))
    .sort()
    .map((name) => ({
      printed: paced(linesIn(name + PRINTED), pace),
      heard: existsSync(name + HEARD) ? linesIn(name + HEARD) : [],
    }));
}

function linesIn(path: string): readonly string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

/** Each line with its wait, by the times that the lines themselves tell. */
function paced(lines: readonly string[], pace: Pace | undefined): readonly RecordedLine[] {
  if (!pace) return lines.map((text) => ({ text, wait: 0 }));
  const decoder = createDecoder();
  const pacer = createPacer(pace);
  const timeOf = (text: string): number | undefined =>
    decoder.feed(Buffer.from(`${text}\n`)).find(({ time }) => time !== undefined)?.time;
  const waits = [...lines.flatMap((text) => pacer.add(timeOf(text))), ...pacer.release()];
  return lines.map((text, at) => ({ text, wait: waits[at] ?? 0 }));
}
