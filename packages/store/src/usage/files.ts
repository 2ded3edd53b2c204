// Which files of a tree are looked at.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface FoundFile {
  readonly path: string;
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
}

const EXTENSION = '.jsonl';

/** The session files under a folder, or the one file that was named. A folder that cannot be read is empty; links are not followed. */
export function findFiles(place: string): readonly FoundFile[] {
  const found: FoundFile[] = [];
  const start = statSync(place, { throwIfNoEntry: false });
  if (start?.isFile()) add(place);
  else if (start?.isDirectory()) walk(place);
  return found;

  function walk(folder: string): void {
    let entries: ReturnType<typeof readFolder>;
    try {
      entries = readFolder(folder);
    } catch {
      return;
    }
    for (const entry of entries) {
      if (entry.isDirectory()) walk(join(folder, entry.name));
      else if (entry.isFile() && entry.name.endsWith(EXTENSION)) add(join(folder, entry.name));
    }
  }

  function add(path: string): void {
    const about = statSync(path, { throwIfNoEntry: false });
    if (about) found.push({ path, dev: about.dev, ino: about.ino, size: about.size, mtimeMs: about.mtimeMs });
  }
}

function readFolder(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}
