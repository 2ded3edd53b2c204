// Which files of a tree are looked at.

import { readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

export interface FoundFile {
  readonly path: string;
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
}

const EXTENSION = '.jsonl';

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Folders that cannot be read: nobody knows what is in them. */
  readonly unread: readonly string[];
}

/** The session files under a folder, or the one file that was named. Links are not followed. */
export function findFiles(place: string): FoundFiles {
  const found: FoundFile[] = [];
  const unread: string[] = [];
  const start = look(place);
  if (start?.isFile()) add(place);
  else if (start?.isDirectory()) walk(place);
  return { files: found, unread };

  function walk(folder: string): void {
    let entries: ReturnType<typeof readFolder>;
    try {
      entries = readFolder(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') unread.push(folder);
      return;
    }
    for (const entry of entries) {
      if (entry.isDirectory()) walk(join(folder, entry.name));
      else if (entry.isFile() && entry.name.endsWith(EXTENSION)) add(join(folder, entry.name));
    }
  }

  function look(path: string): Stats | undefined {
    try {
      return statSync(path, { throwIfNoEntry: false });
    } catch {
      unread.push(path);
      return undefined;
    }
  }

  function add(path: string): void {
    const about = look(path);
    if (about) found.push({ path, dev: about.dev, ino: about.ino, size: about.size, mtimeMs: about.mtimeMs });
  }
}

function readFolder(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}
