// What one session file tells about the bill, small enough to be kept for the next time: numbers in one list, names once.

import type { AnswerSighting, TotalSighting } from '@tailrace/core';

/** What was found in one file, up to a byte of it. Everything in it can be written as JSON. */
export interface FileUsage {
  readonly path: string;
  readonly dev: number;
  readonly ino: number;
  size: number;
  mtimeMs: number;
  /** The byte after the last whole line that was read. */
  offset: number;
  /** What the beginning looked like, and the bytes before the offset. */
  head: string;
  tail: string;
  sessionId: string | null;
  cwd: string | null;
  readonly models: string[];
  readonly subagents: string[];
  /** Answers in the order of the file: an id here, {@link STRIDE} numbers in the other list, which may be longer than that. */
  readonly ids: string[];
  numbers: Float64Array<ArrayBuffer>;
  readonly totals: FileTotal[];
}

/** Everything that was used since some time, as the file tells it at one place. */
export interface FileTotal {
  /** How many answers stand before it. */
  readonly after: number;
  readonly since: number | null;
  /** The last time before it. */
  readonly time: number;
  /** Something with a later time follows, though no answer. */
  isFollowed: boolean;
  readonly costUsd: number | null;
  /** Each model: input, cache reads, cache writes, those of an hour, output, and its cost or -1. */
  readonly models: readonly (readonly [string, readonly number[]])[];
}

/** The places of an answer's numbers. A time, a name and a cost that nobody told are -1. */
export const TIME = 0;
export const MODEL = 1;
export const SUBAGENT = 2;
export const INPUT = 3;
export const READ = 4;
export const WRITE = 5;
export const HOUR = 6;
export const OUTPUT = 7;
export const COST = 8;
export const STRIDE = 9;

/** Room for so many answers is made first. */
const FIRST_ANSWERS = 64;

/** Takes sightings into a file's usage; an answer that is told again is counted once, with the greatest usage. */
export function createCollector(file: FileUsage): {
  addAnswer(sighting: AnswerSighting): void;
  addTotal(sighting: TotalSighting, time: number): void;
} {
  const places = new Map(file.ids.map((id, index) => [id, index * STRIDE]));
  // Its own: what is kept of all files lies in one buffer.
  let numbers = file.numbers.slice();
  file.numbers = numbers;

  return {
    addAnswer(sighting) {
      file.sessionId ??= textOf(sighting.sessionId) ?? null;
      file.cwd ??= textOf(sighting.cwd) ?? null;
      const { usage } = sighting;
      const id = textOf(sighting.id) ?? sighting.id;
      const known = places.get(id);
      if (known !== undefined) {
        if ((usage.outputTokens ?? 0) >= (numbers[known + OUTPUT] ?? 0)) setUsage(known, sighting);
        return;
      }
      const at = file.ids.length * STRIDE;
      if (at === numbers.length) grow();
      places.set(id, at);
      file.ids.push(id);
      numbers[at + TIME] = sighting.time ?? -1;
      numbers[at + MODEL] = placeOf(file.models, textOf(sighting.model));
      numbers[at + SUBAGENT] = placeOf(file.subagents, textOf(sighting.subagentId));
      numbers[at + COST] = sighting.costUsd ?? -1;
      setUsage(at, sighting);
    },
    addTotal(sighting, time) {
      file.sessionId ??= textOf(sighting.sessionId) ?? null;
      file.totals.push({
        after: file.ids.length,
        since: sighting.since ?? null,
        time,
        isFollowed: false,
        costUsd: sighting.costUsd ?? null,
        models: Object.entries(sighting.models).map(([name, one]) => [
          textOf(name) ?? name,
          [
            one.inputTokens ?? 0,
            one.cacheReadTokens ?? 0,
            one.cacheWriteTokens ?? 0,
            one.cacheWrite1hTokens ?? 0,
            one.outputTokens ?? 0,
            one.cost?.amount ?? -1,
          ],
        ]),
      });
    },
  };

  function grow(): void {
    const larger = new Float64Array(Math.max(FIRST_ANSWERS * STRIDE, numbers.length * 2));
    larger.set(numbers);
    numbers = larger;
    file.numbers = larger;
  }

  function setUsage(at: number, { usage }: AnswerSighting): void {
    numbers[at + INPUT] = usage.inputTokens ?? 0;
    numbers[at + READ] = usage.cacheReadTokens ?? 0;
    numbers[at + WRITE] = usage.cacheWriteTokens ?? 0;
    numbers[at + HOUR] = usage.cacheWrite1hTokens ?? 0;
    numbers[at + OUTPUT] = usage.outputTokens ?? 0;
  }
}

/** Lines are parsed byte by byte as if each were a character; what is kept of them is decoded. */
function textOf(text: string | undefined): string | undefined {
  if (text === undefined || !/[\u0080-\u00ff]/.test(text)) return text;
  return Buffer.from(text, 'latin1').toString('utf8');
}

function placeOf(names: string[], name: string | undefined): number {
  if (name === undefined) return -1;
  const place = names.indexOf(name);
  return place >= 0 ? place : names.push(name) - 1;
}
