// A file that grows, read on until somebody has seen enough. Lines come when they are whole; a file that was written anew is read
// from its beginning, and one that is gone is waited for.

import { watch } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createTail } from '@tailrace/store';

/** A hint of the system makes it quick; a look from time to time makes it sure. */
const LOOK_MS = 250;

/** What happens to a file: `anew` comes before the first line of one that was cut, rewritten or replaced, `gone` once. */
export type FileTurn = 'anew' | 'gone';

export async function* followFile(path: string, until: AbortSignal): AsyncGenerator<Uint8Array | FileTurn, void> {
  // It has to be there: a name that is mistyped would be waited for without end.
  await stat(path);
  const tail = createTail({ path, open: (name) => open(name) });
  let wake = (): void => {};
  const onEnd = (): void => wake();
  until.addEventListener('abort', onEnd);
  const watcher = watchQuietly(path, () => wake());
  let generation: number | undefined;
  let isGone = false;
  try {
    for (;;) {
      const isLast = until.aborted;
      const piece = await tail.read();
      if (!piece && !isGone) yield 'gone';
      isGone = !piece;
      if (piece && piece.lines.length > 0) {
        if (generation !== undefined && piece.generation !== generation) yield 'anew';
        generation = piece.generation;
        yield* piece.lines;
      }
      if (piece?.isMore) continue;
      if (isLast) return;
      if (until.aborted) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    until.removeEventListener('abort', onEnd);
    watcher?.close();
  }
}

/** Not every file system gives hints. */
function watchQuietly(path: string, onChange: () => void): { close(): void } | undefined {
  try {
    return watch(path, { persistent: false }, onChange).on('error', () => {});
  } catch {
    return undefined;
  }
}
