// Recorded runs as streams of a store.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { NewLine } from '@tailrace/store';

const folder = fileURLToPath(new URL('../../../../fixtures/claude/2.1.325/', import.meta.url));

export interface RecordedRun {
  readonly name: string;
  readonly lines: readonly NewLine[];
}

/** Those of a moderate size, by name. */
export const recordedRuns: readonly RecordedRun[] = readdirSync(folder)
  .filter((file) => file.endsWith('.ndjson') && !file.endsWith('.stdin.ndjson'))
  .sort()
  .map((file) => ({ name: file.slice(0, -'.ndjson'.length), lines: linesOf(readFileSync(folder + file, 'utf8')) }))
  .filter(({ lines }) => lines.length < 400);

export function linesOf(text: string, at = 1_794_720_000_000): readonly NewLine[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => ({ at: at + index, source: 'stdout', bytes: Buffer.from(`${line}\n`) }));
}
