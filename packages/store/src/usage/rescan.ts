// The agents' files, asked about again and again: nothing is read while none of them has changed.

import type { UsageEntry } from '../contract.ts';
import { findFiles } from './files.ts';
import { type ScanOptions, scanUsage } from './scan.ts';

interface FilesUsage {
  /** The same list while the files are the same. */
  readonly entries: readonly UsageEntry[];
  /** How many files and folders could not be read. */
  readonly unread: number;
}

export interface Rescan {
  read(): Promise<FilesUsage>;
  /** Lets go of what was read. */
  forget(): void;
}

const NOTHING: FilesUsage = { entries: [], unread: 0 };

export function createRescan(options: ScanOptions): Rescan {
  let last: { readonly mark: string; readonly usage: FilesUsage } | undefined;
  return {
    async read() {
      if (options.dirs.length === 0) return NOTHING;
      // Looked at before they are read: what changes meanwhile is seen the next time.
      const mark = JSON.stringify(options.dirs.map(findFiles));
      if (last?.mark === mark) return last.usage;
      const { entries, unread } = await scanUsage(options);
      last = { mark, usage: { entries: [...entries], unread: unread.length } };
      return last.usage;
    },
    forget() {
      last = undefined;
    },
  };
}
