import { existsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createDecoder } from '@tailrace/core';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { type Cut, cutLines } from '../input/cut-lines.ts';
import { createPacer, type Pace, parseAmount, parseSpeed } from '../input/pace.ts';
import { readBytes } from '../input/read.ts';

/** The longest wait of one line at speed 1: nobody sits through an hour of nothing. */
const MAX_GAP_SECONDS = '2';

const LINE_FEED = 10;

/** How much is held back to learn when it was said. A line that is longer passes through in parts, and has no time. */
const HELD_BYTES = 4 * 1024 * 1024;
const HELD_LINES = 10_000;

/** Who was stopped or held up for longer than this does not catch up. */
const LATE_MS = 250;

/**
 * `tailrace replay`: prints a recorded stream, or a session that is kept, again, byte for byte, with its timing; or acts as the
 * agent that printed it.
 */
export const command: Command = async (words) => {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { speed: { type: 'string' }, 'max-gap': { type: 'string' }, 'as-agent': { type: 'string' } },
  });
  const speed = parseSpeed(values.speed);
  const maxGapMs = parseAmount('--max-gap', values['max-gap'] ?? MAX_GAP_SECONDS) * 1000;
  const folder = values['as-agent'];
  if (folder !== undefined) {
    const { actAsAgent } = await import('../replay/act-as-agent.ts');
    return actAsAgent({ folder, args: positionals, pace: speed > 0 ? { speed, maxGapMs } : undefined });
  }
  if (positionals.length > 1) throw new UsageError(`one file at a time, not ${positionals.length}`);
  const lines = await linesOf(positionals[0] ?? '-');
  if (speed > 0) await play(lines, { speed, maxGapMs });
  else for await (const { bytes } of lines) await writeBytes(bytes);
  return 0;
};

/** What names a file and no session: standard input, a way through folders, a name with an ending. */
const FILE = /^-$|[/\\.]/;

/** A file, or what is kept of a session. */
async function linesOf(name: string): Promise<AsyncIterable<Cut>> {
  if (FILE.test(name) || existsSync(name)) return cutLines(readBytes(name), HELD_BYTES);
  const { keptLines } = await import('../history/replay.ts');
  return keptLines(name);
}

async function play(input: AsyncIterable<Cut>, pace: Pace): Promise<void> {
  const pacer = createPacer(pace);
  // The agent's own times, whichever agent it is.
  const decoder = createDecoder({ maxLineBytes: HELD_BYTES });
  const wait = createWait();
  /** Lines that wait for their wait to be known. */
  let held: Uint8Array[] = [];
  let heldBytes = 0;

  function timeOf({ bytes: line, at }: Cut): number | undefined {
    if (at !== undefined) return at;
    if (line.at(-1) !== LINE_FEED) return undefined;
    return decoder.feed(line).find(({ time }) => time !== undefined)?.time;
  }

  /** Prints what is held, if its waits are known: there is one for each line, or none. */
  async function print(waits: readonly number[]): Promise<void> {
    if (waits.length === 0) return;
    const lines = held;
    held = [];
    heldBytes = 0;
    for (const [index, line] of lines.entries()) {
      await wait(waits[index] ?? 0);
      await writeBytes(line);
    }
  }

  try {
    for await (const cut of input) {
      const { bytes, isRest } = cut;
      if (isRest) {
        await writeBytes(bytes);
        continue;
      }
      held.push(bytes);
      heldBytes += bytes.length;
      await print(pacer.add(timeOf(cut)));
      if (heldBytes >= HELD_BYTES || held.length >= HELD_LINES) await print(pacer.release());
    }
  } finally {
    // Also when the input broke off: what was read is printed.
    await print(pacer.release());
  }
}

/** Waits between lines so that they come when they are due, whatever reading and writing takes; a timer is never quite on time. */
function createWait(): (delay: number) => Promise<void> {
  let due = performance.now();
  return async (delay) => {
    due = Math.max(due + delay, performance.now() - LATE_MS);
    const left = due - performance.now();
    if (left >= 1) await sleep(left);
  };
}

/** Writes to standard output and waits until the bytes are gone: their buffer is used again. Errors are the door's matter. */
async function writeBytes(bytes: Uint8Array): Promise<void> {
  await new Promise<void>((resolve) => {
    process.stdout.write(bytes, (error) => {
      if (!error) resolve();
    });
  });
}
