// Two changes of one file, one after the other, seen as one.

import type { HostLine } from '../event/host-line.ts';

type FileChangedLine = Extract<HostLine, { readonly type: 'file-changed' }>;

/** What two changes of a file come to; nothing when the file came and went. */
export function combineChanges(first: FileChangedLine, then: FileChangedLine): FileChangedLine | undefined {
  const wasThere = first.operation !== 'add';
  const isThere = then.operation !== 'delete';
  if (!wasThere && !isThere) return undefined;
  const operation = !wasThere ? 'add' : isThere ? 'modify' : 'delete';
  return { ...then, operation };
}
