// Everything that is known about what was used: the agents' own files, and what the store has kept of those that are gone.

import { join, resolve } from 'node:path';
import { joinUsage, scanUsage, type UsageEntry } from '@tailrace/store';
import { hasStore, withHistory } from '../history/open.ts';
import { dataFolder } from '../home.ts';
import { transcriptFolders } from './roots.ts';

export interface GatherOptions {
  /** Only these trees, and nothing that is kept; else the agents' own folders joined with the store. */
  readonly dirs: readonly string[];
  readonly cache: boolean;
  readonly signal?: AbortSignal | undefined;
  warn(message: string): void;
}

/** The entries of the bill, each id once. */
export async function gatherUsage({ dirs, cache, signal, warn }: GatherOptions): Promise<readonly UsageEntry[]> {
  const places = dirs.length > 0 ? dirs.map((dir) => resolve(dir)) : transcriptFolders();
  const kept = cache ? join(dataFolder(), 'usage-cache') : undefined;
  const { entries, unread } = await scanUsage({ dirs: places, cache: kept, signal });
  if (unread.length > 0) warn(`what these tell is missing, since they cannot be read: ${unread.join(', ')}`);
  if (dirs.length > 0 || !hasStore()) return entries;
  try {
    const stored = await withHistory((store) => store.history.usage());
    return stored ? joinUsage(entries, stored) : entries;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    warn(`what is kept could not be read, so only the agents' own files are counted: ${message}`);
    return entries;
  }
}
