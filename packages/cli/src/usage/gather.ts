// Everything that is known about what was used: the agents' own files, and what the store has kept of those that are gone.

import { join, resolve } from 'node:path';
import {
  type Grouping,
  isNamed,
  joinUsage,
  namesWithFiles,
  type Store,
  scanUsage,
  type UsageEntry,
  type UsageNames,
} from '@tailrace/store';
import { messageOf } from '../failure.ts';
import { hasStore, withHistory } from '../history/open.ts';
import { dataFolder } from '../home.ts';
import { transcriptFolders } from './roots.ts';

export interface GatherOptions {
  /** Only these trees, and nothing that is kept; else the agents' own folders joined with the store. */
  readonly dirs: readonly string[];
  /** What rows will be made by. */
  readonly by: Grouping;
  readonly cache: boolean;
  readonly signal?: AbortSignal | undefined;
  warn(message: string): void;
}

export interface GatheredUsage {
  /** Each id once. */
  readonly entries: Iterable<UsageEntry>;
  /** The models that any of them may have. */
  readonly models: ReadonlySet<string>;
  /** What entries go under, where rows are made by something that they do not tell themselves. */
  readonly names?: UsageNames | undefined;
}

/** The entries of the bill. */
export async function gatherUsage({ dirs, by, cache, signal, warn }: GatherOptions): Promise<GatheredUsage> {
  const places = dirs.length > 0 ? dirs.map((dir) => resolve(dir)) : transcriptFolders();
  const kept = cache ? join(dataFolder(), 'usage-cache') : undefined;
  const scanned = await scanUsage({ dirs: places, cache: kept, signal });
  const { entries, unread } = scanned;
  if (unread.length > 0) warn(`what these tell is missing, since they cannot be read: ${unread.join(', ')}`);
  const ofFiles = { ...scanned, ...(isNamed(by) && { names: namesWithFiles(by) }) };
  if (dirs.length > 0 || !hasStore()) return ofFiles;
  try {
    const kept = await withHistory(async ({ history }) => ({
      entries: await history.usage(),
      names: await namesOf(history, by),
    }));
    if (!kept) return ofFiles;
    const joined = joinUsage(entries, kept.entries);
    return {
      entries: joined,
      models: new Set(joined.flatMap(({ model }) => model ?? [])),
      names: kept.names,
    };
  } catch (error) {
    warn(`what is kept could not be read, so only the agents' own files are counted: ${messageOf(error)}`);
    return ofFiles;
  }
}

async function namesOf(history: Store['history'], by: Grouping): Promise<UsageNames | undefined> {
  return isNamed(by) ? namesWithFiles(by, await history.usageNames(by)) : undefined;
}
