// Hints that something has changed in a folder. They may come twice, late or never: whoever gets them looks for himself, and
// looks without a hint from time to time.

import { type FSWatcher, statSync, watch } from 'node:fs';
import { join } from 'node:path';

export interface FolderWatch {
  /** Watches a folder from now on; again where another one has taken its place. */
  add(folder: string): void;
  /** Leaves all folders that were not added since the last call. */
  sweep(): void;
  close(): void;
}

/** Each folder takes a watch of the system's, of which there are not many. */
const MOST_FOLDERS = 4000;

/** Calls back with the path of what may have changed, or of the folder where that is all that is known. */
export function createFolderWatch(onHint: (path: string) => void): FolderWatch {
  const watched = new Map<string, { readonly watcher: FSWatcher; readonly id: string }>();
  let added = new Set<string>();
  return {
    add(folder) {
      added.add(folder);
      const id = idOf(folder);
      const before = watched.get(folder);
      if (before?.id === id || id === undefined) return;
      before?.watcher.close();
      watched.delete(folder);
      if (watched.size >= MOST_FOLDERS) return;
      try {
        const watcher = watch(folder, { persistent: false }, (_, name) =>
          onHint(name === null ? folder : join(folder, name)),
        );
        watcher.on('error', () => watcher.close());
        watched.set(folder, { watcher, id });
      } catch {
        // Gone again, or no watches left: it is looked at in its turn.
      }
    },
    sweep() {
      for (const [folder, { watcher }] of watched) {
        if (added.has(folder)) continue;
        watcher.close();
        watched.delete(folder);
      }
      added = new Set();
    },
    close() {
      for (const { watcher } of watched.values()) watcher.close();
      watched.clear();
    },
  };
}

function idOf(folder: string): string | undefined {
  const stats = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}
