// What the watcher tells, and how much of it.

/** A file is not what it was. */
export interface WorkspaceChange {
  /** Absolute. */
  readonly path: string;
  readonly operation: 'add' | 'modify' | 'delete';
  /** Absent when it was deleted. */
  readonly sizeBytes?: number;
  /** When it changed, in epoch milliseconds: the file's own time, or that of the folder it is gone from. */
  readonly at: number;
}

/** Something that keeps the watcher from seeing everything. */
export interface WorkspaceWarning {
  readonly code: 'workspace-too-large' | 'workspace-not-watched';
  readonly message: string;
}

export interface WatchLimits {
  readonly folders: number;
  readonly files: number;
}

/** What is kept in memory at the most. The usual limit of Linux for watched folders is 8,192 or more. */
export const WATCH_LIMITS: WatchLimits = { folders: 8_192, files: 200_000 };

/** What there was no room for. */
export interface LeftOut {
  folders: number;
  files: number;
  unwatched: number;
  reason: string;
}

/** The sentences for what was left out, with the numbers. */
export function warningsOf(
  root: string,
  left: LeftOut,
  limits: WatchLimits,
  folderCount: number,
): readonly WorkspaceWarning[] {
  const warnings: WorkspaceWarning[] = [];
  const parts: string[] = [];
  if (left.folders > 0) parts.push(`at least ${left.folders} folders beyond the ${limits.folders} that are watched`);
  if (left.files > 0) parts.push(`at least ${left.files} files beyond the ${limits.files} that are watched`);
  if (parts.length > 0) {
    const message = `${root} has ${parts.join(' and ')}: changes there are not told. A .gitignore can leave out what does not matter.`;
    warnings.push({ code: 'workspace-too-large', message });
  }
  if (left.unwatched > 0) {
    const message = `${left.unwatched} of ${folderCount} folders in ${root} cannot be watched (${left.reason}): their changes are told late. On Linux fs.inotify.max_user_watches says how many can.`;
    warnings.push({ code: 'workspace-not-watched', message });
  }
  return warnings;
}
