// What going back means for each file: what the agent will set back, what it leaves, and what would be lost by it.

import { lstatSync, type Stats } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import type { Rewind } from '@tailrace/core';
import type { ChangedFile, ChangesSince, ChangingCall } from './changes.ts';

/** A file that is set back. */
export interface RewoundFile {
  readonly path: string;
  /** `remove`: it was not there at the prompt; `restore`: it is not there now. */
  readonly action: 'change' | 'remove' | 'restore';
  /** It is not as the session left it: what somebody else has done to it is lost. */
  readonly isOverwritten: boolean;
}

/** A file that stays as it is, or does not get back all the way. */
export interface LeftFile {
  readonly path: string;
  readonly operation: ChangedFile['operation'];
  /** The commands that changed it; where it is not certain, the calls that could have. */
  readonly calls: readonly ChangingCall[];
  readonly isCertain: boolean;
  /** It is set back, but only to what it was when the agent edited it first, which was after the command. */
  readonly isPartly: boolean;
}

export interface FilesPreview {
  readonly files: readonly RewoundFile[];
  readonly linesAdded?: number | undefined;
  readonly linesRemoved?: number | undefined;
  /** What commands have changed since the prompt, of which the agent has no copy. */
  readonly left: readonly LeftFile[];
  /** Commands since the prompt, when nobody watched the files: what they changed stays too, and nobody knows what it is. */
  readonly unwatched: readonly ChangingCall[];
}

/** `plan` is what the agent would set back in the folder; `alias` is the folder as the session may have named it. */
export function lookAhead(plan: Rewind, changes: ChangesSince, cwd: string, alias: string = cwd): FilesPreview {
  const place = (path: string): string => resolve(cwd, path.startsWith(alias + sep) ? relative(alias, path) : path);
  const paths = pathsOf(plan, cwd);
  // What a command had made before is only set back to that.
  const added = changes.byTools.filter(({ isNew, operation }) => isNew && operation === 'add');
  const removed = new Set(added.map(({ path }) => place(path)));
  const others = changes.unknown.filter(({ calls }) => calls.length === 0).map(({ path }) => place(path));
  const deleted = [...changes.byTools, ...changes.byCommands].filter(({ isDeleted }) => isDeleted);
  const gone = new Set(deleted.map(({ path }) => place(path)));
  return {
    files: paths.map((path) => {
      const stats = statsOf(path);
      const isChanged = stats ? isLater(stats, changes.lastAt) : !gone.has(path);
      return {
        path,
        action: stats === undefined ? 'restore' : removed.has(path) ? 'remove' : 'change',
        isOverwritten: isChanged || others.includes(path),
      };
    }),
    linesAdded: plan.linesAdded,
    linesRemoved: plan.linesRemoved,
    left: leftOf(changes, new Set(paths), place),
    unwatched: changes.isWatched ? [] : changes.commands,
  };
}

/** Whole paths, whatever the agent told. */
export function pathsOf({ files }: Rewind, cwd: string): readonly string[] {
  return files.map((path) => resolve(cwd, path));
}

function leftOf(
  changes: ChangesSince,
  setBack: ReadonlySet<string>,
  place: (path: string) => string,
): readonly LeftFile[] {
  const certain = new Set(changes.byCommands.map(({ path }) => path));
  const uncertain = changes.unknown.filter(({ calls, path }) => calls.length > 0 && !certain.has(path));
  const told = (isCertain: boolean) => (file: ChangedFile) => {
    const path = place(file.path);
    // What the agent had a copy of before the command came is set back like everything else.
    if (file.wasKept || (file.isNew && statsOf(path) === undefined)) return [];
    return [
      {
        path,
        operation: file.isNew ? 'add' : file.operation,
        calls: file.calls,
        isCertain,
        isPartly: setBack.has(path),
      },
    ];
  };
  return [...changes.byCommands.flatMap(told(true)), ...uncertain.flatMap(told(false))];
}

/** Somebody has written it after the session's last word. */
function isLater({ mtimeMs }: Stats, lastAt: number | undefined): boolean {
  return lastAt !== undefined && mtimeMs > lastAt;
}

function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
