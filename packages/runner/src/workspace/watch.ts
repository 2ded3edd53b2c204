// Watches a folder and all below it: hints of the system say where to look, and comparing with a snapshot tells what changed.

import type { Stats } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Clock } from '../clock.ts';
import { WATCH_LIMITS, type WatchLimits, type WorkspaceChange, type WorkspaceWarning } from './change.ts';
import { innerOf } from './folder.ts';
import { isIgnored } from './ignore.ts';
import { createSignals, type WatchFunction } from './signals.ts';
import { Tree } from './tree.ts';

/** How long it has to be quiet before it is looked at what happened, and how long that can be put off. */
const PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

export interface WatcherOptions {
  /** An absolute path without links in it. */
  readonly root: string;
  readonly clock: Clock;
  readonly onChange: (change: WorkspaceChange) => void;
  readonly onWarning: (warning: WorkspaceWarning) => void;
  readonly limits?: WatchLimits | undefined;
  readonly watch?: WatchFunction | undefined;
  /** Files that do not count. */
  readonly isOwn?: ((file: Stats) => boolean) | undefined;
  /** One watch for the whole tree. Linux has no such thing: there Node makes it up, and loses what happens in new folders. */
  readonly isRecursive?: boolean | undefined;
}

export interface Watcher {
  /** The first snapshot is taken: what changes from now on is told. */
  readonly ready: Promise<void>;
  /**
   * Compares now, and resolves when every change until now was told that the system gave a hint of.
   * With `whole`, everything is compared: for file systems without hints, and when there were too many of them.
   */
  look(options?: { readonly whole?: boolean | undefined }): Promise<void>;
  /** Has this path compared at the next look, hint or no hint. False when it is none that is watched. */
  mark(path: string): boolean;
  close(): void;
}

export function createWatcher(options: WatcherOptions): Watcher {
  const { root, clock, onChange, onWarning, isRecursive = process.platform !== 'linux' } = options;
  const warned = new Set<string>();
  /** Every change before this time has been told, if there was a hint of it. */
  let settledAt = 0;
  let cancelPause: (() => void) | undefined;
  let pausedSince = 0;
  /** One comparison at a time. */
  let work: Promise<void> = Promise.resolve();

  const signals = createSignals({ root, onSignal, isRecursive, watch: options.watch });
  const tree = new Tree({
    root,
    limits: options.limits ?? WATCH_LIMITS,
    now: () => clock.now(),
    onChange(change) {
      if (!tree.isClosed) onChange(change);
    },
    listen: (path) => signals.add(path),
    unlisten: (path) => signals.remove(path),
    isOwn: options.isOwn ?? (() => false),
  });

  function onSignal(path: string, name: string | undefined): void {
    const place = tree.isClosed ? undefined : tree.find(path);
    if (!place) return;
    tree.mark(place.folder, place.unknown ?? name);
    const now = clock.now();
    if (!cancelPause) pausedSince = now;
    else if (now - pausedSince >= LONGEST_PAUSE_MS) return;
    cancelPause?.();
    cancelPause = clock.after(PAUSE_MS, () => {
      cancelPause = undefined;
      void enqueue(() => tree.compareDirty(settledAt));
    });
  }

  function enqueue(act: () => Promise<void>): Promise<void> {
    const done = work.then(async () => {
      if (tree.isClosed) return;
      await act();
      for (const warning of tree.warnings) warn(warning);
    });
    // Whoever waits for it hears of a listener that threw; the next comparison is not its victim.
    work = done.catch(() => undefined);
    return done;
  }

  /** Once each: the next look would only say it again. */
  function warn(warning: WorkspaceWarning): void {
    if (warned.has(warning.code)) return;
    warned.add(warning.code);
    onWarning(warning);
  }

  const ready = enqueue(async () => {
    if (await tree.start()) return;
    warn({ code: 'workspace-not-watched', message: `${root} is no folder that can be watched` });
  });

  return {
    ready,
    async look({ whole = false } = {}) {
      const now = clock.now();
      await hintsRead();
      await enqueue(async () => {
        await tree.compareDirty(settledAt);
        // Where hints come late, nothing is settled by their absence. What is found later counts for the next millisecond,
        // so that a call which ended in this one is not blamed for it.
        if (!isRecursive) settledAt = Math.max(settledAt, now + 1);
        if (!whole) return;
        await tree.compareWhole();
        await tree.compareDirty(0);
      });
    },
    mark(path) {
      const place = tree.find(dirname(path));
      if (!place) return false;
      const { folder, unknown = relative(folder.path, path) } = place;
      if (place.unknown === undefined && isIgnored(folder.rules, innerOf(folder, unknown), false)) return false;
      tree.mark(folder, unknown);
      return true;
    },
    close() {
      tree.isClosed = true;
      cancelPause?.();
      signals.close();
    },
  };
}

/**
 * The hints of what has happened until now wait in the system, and are read once in each turn of the event loop, between files
 * and immediates: the first immediate may still be of the turn that has read them before, the second is not.
 */
async function hintsRead(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resume) => setImmediate(resume));
}
