// Hints of the system that something in a folder is not what it was. They say where to look, never what happened:
// they may come twice, late, or (when too much happens at once) not at all.

import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** As `fs.watch`, as far as it is used here. */
export type WatchFunction = (
  path: string,
  options: { readonly persistent: boolean; readonly recursive: boolean },
  listener: (type: string, name: string | null) => void,
) => Pick<FSWatcher, 'close' | 'on'>;

export interface SignalOptions {
  readonly root: string;
  readonly onSignal: (folder: string, name: string | undefined) => void;
  /** One watch for the whole tree. Linux has no such thing: there Node makes it up, and loses what happens in new folders. */
  readonly isRecursive: boolean;
  readonly watch?: WatchFunction | undefined;
}

export interface Signals {
  /** From now on there are hints about this folder; the reason when there are not. */
  add(folder: string): Error | undefined;
  remove(folder: string): void;
  close(): void;
}

export function createSignals(options: SignalOptions): Signals {
  const { root, onSignal, isRecursive } = options;
  const watchFolder: WatchFunction = options.watch ?? watch;
  const watchers = new Map<string, ReturnType<WatchFunction>>();

  function remove(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  return {
    add(folder) {
      if (isRecursive && folder !== root) return undefined;
      remove(folder);
      try {
        const watcher = watchFolder(folder, { persistent: false, recursive: isRecursive }, (_type, name) => {
          if (!isRecursive || name === null) onSignal(folder, name ?? undefined);
          else onSignal(dirname(join(folder, name)), basename(name));
        });
        // A folder that goes away may end its watch with an error; whoever watches its parent hears of it.
        watcher.on('error', () => onSignal(folder, undefined));
        watchers.set(folder, watcher);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error : new Error(String(error));
      }
    },
    remove,
    close() {
      for (const folder of [...watchers.keys()]) remove(folder);
    },
  };
}
