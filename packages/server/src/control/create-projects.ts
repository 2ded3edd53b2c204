// Projects from what was used before and from the roots that the server was started with.

import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import type { Store } from '@tailrace/store';
import { ProblemError } from '../problem-error.ts';
import { MAX_PROJECT_IDS, MAX_PROJECTS, PROJECTS_FRESH_MS } from './limits.ts';
import type { Project, Projects } from './projects.ts';
import { splitPath } from './relative-path.ts';
import { createUsedFolders } from './used-folders.ts';

export interface ProjectsOptions {
  readonly store: Store;
  /** Folders below which runs may be started, whether or not they were used before. */
  readonly roots?: readonly string[] | undefined;
  /** Epoch milliseconds. */
  readonly clock?: (() => number) | undefined;
}

/** The projects of a server. Of the roots, they themselves and the folders in them are listed; what is deeper is a path below one. */
export function createProjects({ store, roots = [], clock = Date.now }: ProjectsOptions): Projects {
  const used = createUsedFolders(store, clock);
  const ids = new Map<string, string>();
  let known = new Map<string, Project>();
  let madeAt = Number.NEGATIVE_INFINITY;
  let madeFrom = -1;
  let making: Promise<void> | undefined;

  async function make(): Promise<void> {
    const position = await store.record.last();
    const inRoots = await Promise.all(roots.map(foldersIn));
    const projects = new Map<string, Project>();
    ids.clear();
    for (const told of [...(await used.list()), ...roots, ...inRoots.flat()]) {
      if (projects.size >= MAX_PROJECTS) break;
      const folder = await realFolder(told);
      if (folder === undefined) continue;
      const id = hashOf(folder);
      if (!projects.has(id)) projects.set(id, { id, name: basename(folder) || folder, folder });
    }
    known = projects;
    madeAt = clock();
    madeFrom = position;
  }

  /** Whoever asks while the list is made waits for the same one. */
  function remake(): Promise<void> {
    making ??= make().finally(() => {
      making = undefined;
    });
    return making;
  }

  async function refresh(): Promise<void> {
    if (clock() - madeAt >= PROJECTS_FRESH_MS) await remake();
  }

  /** A folder that was used just now is not told to be unknown. */
  async function find(id: string): Promise<Project | undefined> {
    if (!known.has(id)) await refresh();
    if (!known.has(id) && (await store.record.last()) !== madeFrom) await remake();
    return known.get(id);
  }

  return {
    async list() {
      await refresh();
      return [...known.values()];
    },
    idOf(folder) {
      const before = ids.get(folder);
      if (before !== undefined) return before;
      if (ids.size >= MAX_PROJECT_IDS) ids.clear();
      const id = hashOf(realOrSame(folder));
      ids.set(folder, id);
      return id;
    },
    async resolve(id, path = '') {
      const names = splitPath(path);
      const project = await find(id);
      // What it is now counts, whatever it was when the list was made.
      const folder = project && (await realFolder(project.folder));
      if (folder === undefined || hashOf(folder) !== id)
        throw new ProblemError('not-found', 'there is no such project: its folder was never used, or is gone');
      // From here on nothing but the real path is used: a link that is laid later, in the place of one that was followed, leads nowhere.
      const real = await realFolder(join(folder, ...names));
      if (real === undefined) throw new ProblemError('not-found', 'there is no such folder in the project');
      if (!isWithin(folder, real)) throw new ProblemError('refused', 'the path leads out of the project');
      return real;
    },
  };
}

/** Whether a real path is a folder's own, or of something in it. */
export function isWithin(folder: string, real: string): boolean {
  return real === folder || real.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** So many bytes of the hash are enough for nobody to find a second folder to an id. */
const ID_BYTES = 16;

function hashOf(folder: string): string {
  return createHash('sha256').update(folder).digest().subarray(0, ID_BYTES).toString('base64url');
}

/** The folder itself, whatever links lead to it; nothing when there is none, or nobody may look. */
async function realFolder(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

function realOrSame(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return resolve(folder);
  }
}

/** The folders in a root, but hidden ones and links; in the order of their names. */
async function foldersIn(root: string): Promise<readonly string[]> {
  const folder = await realFolder(root);
  if (folder === undefined) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => !entry.name.startsWith('.') && entry.isDirectory()).map(({ name }) => name);
  const found = names
    .sort()
    .slice(0, MAX_PROJECTS)
    .map((name) => realFolder(join(folder, name)));
  // One may have become a link meanwhile.
  return (await Promise.all(found)).filter((one) => one !== undefined && isWithin(folder, one)) as string[];
}
