// The snapshot of a folder and all below it, and what has changed since it was taken.
// What git ignores, `.git` and `node_modules` are left out; links are not followed.

import type { Stats } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type LeftOut, type WatchLimits, type WorkspaceChange, type WorkspaceWarning, warningsOf } from './change.ts';
import {
  countsAsFile,
  createFolder,
  entriesOf,
  type Folder,
  innerOf,
  isSame,
  nameOf,
  type Stamp,
  stampOf,
  statNames,
  statOf,
} from './folder.ts';
import { readOuterRules, readText } from './git-rules.ts';
import { type IgnoreRules, isIgnored, readRules } from './ignore.ts';

export interface TreeOptions {
  readonly root: string;
  readonly limits: WatchLimits;
  readonly now: () => number;
  readonly onChange: (change: WorkspaceChange) => void;
  /** Asks for hints about a folder; the reason when there will be none. */
  readonly listen: (path: string) => Error | undefined;
  readonly unlisten: (path: string) => void;
  /** Whether it is a file of our own, that does not count. */
  readonly isOwn: (file: Stats) => boolean;
}

/** The names to look at in a folder; `all` also finds what nobody named. */
export type Names = Set<string> | 'all';

type Dirty = Map<Folder, Names>;

/** What is known about a change before it is looked at. */
export interface Span {
  /** It did not happen before. */
  readonly since: number;
  /** It was there before the first snapshot, or was ignored until now: no change. */
  readonly isSilent?: boolean | undefined;
}

/** Where a path is: in a known folder, or at an unknown name in the innermost known one. */
export interface Place {
  readonly folder: Folder;
  readonly unknown?: string;
}

export class Tree {
  /** What there was a hint of, and what looking at that has led to. */
  private readonly hinted: Dirty = new Map();
  private readonly led: Dirty = new Map();
  isClosed = false;
  private readonly options: TreeOptions;
  private top: Folder | undefined;
  private outerRules: IgnoreRules | undefined;
  private folderCount = 0;
  private fileCount = 0;
  private readonly left: LeftOut = { folders: 0, files: 0, unwatched: 0, reason: '' };

  constructor(options: TreeOptions) {
    this.options = options;
  }

  /** Takes the first snapshot; false when there is no such folder. */
  async start(): Promise<boolean> {
    const { root } = this.options;
    const outer = await readOuterRules(root);
    this.outerRules = outer.rules;
    const stats = await statOf(root);
    if (!stats?.isDirectory()) return false;
    this.top = createFolder(root, outer.inner, undefined, stats.ino);
    this.top.rules = outer.rules;
    this.top.outerRules = outer.rules;
    await this.enter(this.top, { since: 0, isSilent: true });
    return true;
  }

  get warnings(): readonly WorkspaceWarning[] {
    return warningsOf(this.options.root, this.left, this.options.limits, this.folderCount);
  }

  /** Where a folder is; nothing when it is outside, or ignored. */
  find(path: string): Place | undefined {
    const way = relative(this.options.root, path);
    if (!this.top || way === '..' || way.startsWith(`..${sep}`)) return undefined;
    let folder = this.top;
    for (const step of way.split(sep).filter(Boolean)) {
      const next = folder.folders.get(step);
      if (!next) return isIgnored(folder.rules, innerOf(folder, step), true) ? undefined : { folder, unknown: step };
      folder = next;
    }
    return { folder };
  }

  /** Has it looked at the next time. */
  mark(folder: Folder, name: string | undefined): void {
    note(this.hinted, folder, name);
  }

  /**
   * Looks at what was marked until now, and at what that leads to. What is marked meanwhile waits for the next time: somebody may
   * change a file whenever a change is told, and this would never end.
   */
  async compareDirty(since: number): Promise<void> {
    for (let batch = this.take(this.hinted); batch.length > 0 && !this.isClosed; batch = this.take(this.led))
      for (const [folder, names] of batch) if (!folder.isGone) await this.compare(folder, names, { since });
  }

  private take(dirty: Dirty): readonly (readonly [Folder, Names])[] {
    const all = [...dirty];
    dirty.clear();
    return all;
  }

  async compareWhole(folder: Folder | undefined = this.top): Promise<void> {
    if (!folder || this.isClosed || folder.isGone) return;
    await this.compare(folder, 'all', { since: 0 });
    for (const inner of [...folder.folders.values()]) await this.compareWhole(inner);
  }

  private async compare(folder: Folder, hinted: Names, span: Span): Promise<void> {
    const before = folder.rules;
    await this.readOwnRules(folder);
    const names = before === folder.rules ? hinted : 'all';
    const asked = names === 'all' ? await this.namesIn(folder) : [...names];
    if (!asked) return this.vanish(folder);
    const found = await statNames(folder.path, asked);
    // Only a name that is gone needs the time of the folder, and all of them need the same.
    const goneAt = asked.every((name) => found.has(name)) ? this.options.now() : await this.timeOf(folder, span);
    for (const name of asked) {
      if (this.isClosed) return;
      const stats = found.get(name);
      const isWanted = stats !== undefined && this.isWanted(folder, name, stats);
      this.forget(folder, name, stats, isWanted, span.isSilent ? undefined : goneAt);
      if (!isWanted) continue;
      const wasIgnored = before !== folder.rules && isIgnored(before, innerOf(folder, name), stats.isDirectory());
      const itsSpan = wasIgnored ? { ...span, isSilent: true } : span;
      if (stats.isDirectory()) await this.compareInner(folder, name, stats, names, itsSpan);
      else this.compareFile(folder, name, stats, itsSpan);
    }
  }

  /** Lets go of what was at a name and is not any more; what the rules have come to ignore goes without a word. */
  private forget(
    folder: Folder,
    name: string,
    stats: Stats | undefined,
    isWanted: boolean,
    at: number | undefined,
  ): void {
    const isIgnoredNow = stats !== undefined && !isWanted;
    const inner = folder.folders.get(name);
    if (inner && !(isWanted && stats?.isDirectory())) this.drop(inner, isIgnoredNow ? undefined : at);
    if (!folder.files.has(name) || (isWanted && !stats?.isDirectory())) return;
    this.forgetFile(folder, name);
    if (!isIgnoredNow && at !== undefined) this.tellGone(folder, name, at);
  }

  private compareFile(folder: Folder, name: string, stats: Stats, span: Span): void {
    const known = folder.files.get(name);
    const stamp = stampOf(stats);
    if (isSame(known, stamp)) return;
    if (!known && this.fileCount >= this.options.limits.files) {
      this.left.files++;
      return;
    }
    if (!known) this.fileCount++;
    folder.files.set(name, stamp);
    if (span.isSilent) return;
    this.options.onChange({
      path: join(folder.path, name),
      operation: known ? 'modify' : 'add',
      sizeBytes: stats.size,
      at: this.within(stats.ctimeMs, span),
    });
  }

  private async compareInner(folder: Folder, name: string, stats: Stats, names: Names, span: Span): Promise<void> {
    const known = folder.folders.get(name);
    if (known) {
      // A hint about a folder in the one above it: it may be another one of the same name, and the old watch is dead.
      if (names === 'all' && known.ino === stats.ino) return;
      known.ino = stats.ino;
      this.listen(known);
      return this.compareWhole(known);
    }
    if (this.folderCount >= this.options.limits.folders) {
      this.left.folders++;
      return;
    }
    const inner = createFolder(join(folder.path, name), innerOf(folder, name), folder, stats.ino);
    folder.folders.set(name, inner);
    // A folder that was moved here brings files with old times: they came when it came.
    await this.enter(inner, { ...span, since: Math.max(span.since, Math.floor(stats.ctimeMs)) });
  }

  /** First the watch, then the list: what comes between the two is told twice rather than never. */
  private async enter(folder: Folder, span: Span): Promise<void> {
    this.folderCount++;
    this.listen(folder);
    await this.compare(folder, 'all', span);
  }

  private listen(folder: Folder): void {
    const problem = this.options.listen(folder.path);
    // One that is gone already is no problem: the one above it tells.
    if (!problem || ('code' in problem && problem.code === 'ENOENT')) return;
    this.left.unwatched++;
    this.left.reason = problem.message;
  }

  /** All that was in it is gone with it. */
  private drop(folder: Folder, at: number | undefined): void {
    folder.isGone = true;
    this.folderCount--;
    this.options.unlisten(folder.path);
    folder.parent?.folders.delete(nameOf(folder));
    for (const inner of [...folder.folders.values()]) this.drop(inner, at);
    for (const name of [...folder.files.keys()]) {
      this.forgetFile(folder, name);
      if (at !== undefined) this.tellGone(folder, name, at);
    }
  }

  private vanish(folder: Folder): void {
    if (folder.parent) note(this.led, folder.parent, nameOf(folder));
    else this.drop(folder, this.options.now());
  }

  private tellGone(folder: Folder, name: string, at: number): void {
    this.options.onChange({ path: join(folder.path, name), operation: 'delete', at });
  }

  private forgetFile(folder: Folder, name: string): void {
    if (folder.files.delete(name)) this.fileCount--;
  }

  /** Other rules make other files count, in all that lies below. */
  private async readOwnRules(folder: Folder): Promise<void> {
    const path = join(folder.path, '.gitignore');
    const stats = await statOf(path);
    const stamp: Stamp | undefined = stats?.isFile() ? stampOf(stats) : undefined;
    const outer = folder.parent ? folder.parent.rules : this.outerRules;
    if (isSame(stamp, folder.ownRules) && folder.outerRules === outer) return;
    const text = stamp ? await readText(path) : undefined;
    folder.ownRules = stamp;
    folder.outerRules = outer;
    folder.rules = text === undefined ? outer : readRules(text, folder.inner, outer);
    for (const inner of folder.folders.values()) note(this.led, inner, undefined);
  }

  /** What lies in a folder and what lay there, without what is ignored; nothing when the folder is gone. */
  private async namesIn(folder: Folder): Promise<readonly string[] | undefined> {
    const entries = await entriesOf(folder.path);
    if (!entries) return undefined;
    const names = new Set([...folder.files.keys(), ...folder.folders.keys()]);
    for (const entry of entries) {
      if (!isIgnored(folder.rules, innerOf(folder, entry.name), entry.isDirectory())) names.add(entry.name);
    }
    return [...names];
  }

  private isWanted(folder: Folder, name: string, stats: Stats): boolean {
    const isFolder = stats.isDirectory();
    const counts = isFolder || (countsAsFile(stats) && !this.options.isOwn(stats));
    return counts && !isIgnored(folder.rules, innerOf(folder, name), isFolder);
  }

  private async timeOf(folder: Folder, span: Span): Promise<number> {
    for (let at: Folder | undefined = folder; at; at = at.parent) {
      const stats = await statOf(at.path);
      if (stats) return this.within(stats.mtimeMs, span);
    }
    return this.options.now();
  }

  /** The clock of another machine, or a moved file's old time, is set right by what we know ourselves. */
  private within(time: number, { since }: Span): number {
    return Math.max(since, Math.min(Math.floor(time), this.options.now()));
  }
}

function note(dirty: Dirty, folder: Folder, name: string | undefined): void {
  const names = dirty.get(folder);
  if (name === undefined) dirty.set(folder, 'all');
  else if (names === undefined) dirty.set(folder, new Set([name]));
  else if (names !== 'all') names.add(name);
}
