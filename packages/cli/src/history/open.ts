// The store of this person, opened for a command. SQLite is loaded only here: whoever cannot have it keeps everything else.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '@tailrace/store';
import { messageOf } from '../failure.ts';
import { dataFolder, spoolOf } from '../home.ts';
import { NoHistory } from './no-history.ts';

/** The file that everything is kept in. */
export function storeFile(): string {
  return join(dataFolder(), 'tailrace.db');
}

/** Whether anything was ever kept. */
export function hasStore(): boolean {
  return isThere(storeFile()) || isThere(spoolOf(dataFolder()).file);
}

/** A folder that may not be looked into is another thing than one with nothing in it. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw error;
  }
}

/** Opens the store, which is made where there is none. What hooks have left since is taken in. */
export async function openKept(): Promise<Store> {
  const { openStore } = await loadStore();
  const store = await openStore({ file: storeFile() });
  await takeHooks(store).catch((error: unknown) => {
    process.stderr.write(`tailrace: what the hooks told could not be taken in: ${firstLineOf(error)}\n`);
  });
  return store;
}

/** A hook writes its line at once; one that has the file open for so long has died. */
const HOOK_GRACE_MS = 5_000;

/** Takes in what hooks have left. The file is put aside and taken away as soon as nobody can write to it any more. */
export async function takeHooks(store: Store, graceMs: number = HOOK_GRACE_MS): Promise<void> {
  const { importHooks } = await loadStore();
  const { folder } = spoolOf(dataFolder());
  const isForgotten = (sessionId: string): Promise<boolean> => store.isForgotten(sessionId);
  // Where nobody can see who has a file open, the library's own patience is the right one.
  const tidy = process.platform === 'linux' ? { rotateBytes: 1, graceMs } : {};
  await importHooks(store.record, { folder, isForgotten, ...tidy });
}

/** A store that is up to date, for whoever asks something of it; nothing when there is none. */
export async function withHistory<T>(use: (store: Store) => Promise<T>): Promise<T | undefined> {
  if (!hasStore()) {
    // Whoever is told how to begin has to be able to.
    await loadStore();
    return undefined;
  }
  const store = await openKept();
  try {
    await catchUp(store);
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Says so when there is nothing to ask. */
export function tellEmpty(): void {
  process.stderr.write(
    'tailrace: nothing is kept yet. What your agents have kept here is taken in by: tailrace import\n',
  );
}

/** As long as another process is at it, a command waits. */
const WAIT_MS = 5_000;

/** From so many lines on, people are told that it takes a moment. */
const TOLD_LINES = 20_000;

export async function catchUp(store: Store): Promise<void> {
  const isWatched = process.stderr.isTTY === true;
  let isTold = false;
  const { behind } = await store.history.catchUp({
    waitMs: WAIT_MS,
    onProgress: (done, all) => {
      if (!isWatched || all < TOLD_LINES) return;
      isTold = true;
      process.stderr.write(`\rreading what is new: ${Math.floor((100 * done) / all)} %`);
    },
  });
  if (isTold) process.stderr.write('\r\u001b[K');
  if (behind > 0) process.stderr.write(`tailrace: ${behind} new lines are still being taken up by another process\n`);
}

type StoreModule = typeof import('./sqlite.ts');

/** The part that needs SQLite; where that does not load, a `NoHistory`. */
export async function loadStore(): Promise<StoreModule> {
  try {
    return await import('./sqlite.ts');
  } catch (error) {
    throw new NoHistory(error);
  }
}

/** A failure on one line. */
function firstLineOf(error: unknown): string {
  const text = messageOf(error);
  return text.split('\n', 1)[0] ?? text;
}
