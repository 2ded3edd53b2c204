// Finds the files in which the agents themselves keep their sessions. What belongs to whom is for the agent's layout to say.

import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Agent, agents as allAgents, type TranscriptLayout } from '@tailrace/core';
import { StoreError } from '../errors.ts';
import { isInside } from '../tail/open-file.ts';

/** A file with the lines of a session, or of one of its sub-agents. */
export interface FoundFile {
  /** Absent for a file that was named and is none of the known places': its lines say whose it is. */
  readonly agent?: Agent | undefined;
  /** The real folder that it must not lead out of. */
  readonly root: string;
  readonly path: string;
  /** Absent where only the lines tell it. */
  readonly sessionId?: string | undefined;
  /** The sub-agent whose lines they are; absent for the session's own. */
  readonly taskId?: string | undefined;
}

/** Something that was left out, and why. */
export interface Problem {
  readonly path: string;
  /** The class of the failure, or of the system's. */
  readonly code: string;
  readonly message: string;
}

export interface DiscoverOptions {
  /** A folder of transcripts, the agent's own folder that has one, one project's, or a single file; else where each agent keeps them. */
  readonly dir?: string | undefined;
  readonly agents?: readonly Agent[] | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly onProblem?: ((problem: Problem) => void) | undefined;
}

/** A folder to be walked: the paths in it are for the layout after `prefix`. */
export interface Place {
  readonly agent: Agent;
  readonly layout: TranscriptLayout;
  readonly root: string;
  readonly prefix: string;
}

/** Folders in folders, no more than any agent makes. */
const DEEPEST = 12;

/** All files in all places, folder by folder. Fails as `not-found` when a folder was named that is not there. */
export async function* findTranscripts(options: DiscoverOptions = {}): AsyncGenerator<FoundFile> {
  const single = await singleFile(options);
  if (single) {
    yield single;
    return;
  }
  for (const place of await placesOf(options)) yield* filesIn(place, options.onProblem);
}

/** Where to look: what was named, or where each agent keeps its sessions. A folder that nobody has made yet is no place. */
export async function placesOf(options: DiscoverOptions = {}): Promise<readonly Place[]> {
  const { dir, agents = allAgents, env = process.env } = options;
  const places: Place[] = [];
  for (const agent of agents) {
    const layout = agent.transcripts;
    if (!layout) continue;
    const own = env[layout.root.variable] || join(env['HOME'] || homedir(), layout.root.folder);
    const inner = await realFolder(join(dir ?? own, layout.folder));
    if (inner !== undefined) places.push({ agent, layout, root: inner, prefix: '' });
    else if (dir !== undefined) {
      const root = await realFolder(dir);
      if (root !== undefined) places.push({ agent, layout, root, prefix: await prefixOf(root, layout) });
    }
  }
  if (dir !== undefined && places.length === 0) await mustBeThere(dir);
  return places;
}

/** The files below one place. Each folder is told before it is looked into. */
export async function* filesIn(
  place: Place,
  onProblem?: (problem: Problem) => void,
  onFolder?: (path: string) => void,
): AsyncGenerator<FoundFile> {
  yield* walk(place.root, '', 0);

  async function* walk(folder: string, way: string, depth: number): AsyncGenerator<FoundFile> {
    onFolder?.(folder);
    for (const entry of await entriesOf(folder, onProblem)) {
      const path = join(folder, entry.name);
      const name = `${way}${entry.name}`;
      if (entry.isFile()) {
        const found = describeFile(place, name);
        if (found) yield { ...found, path };
      } else if (entry.isDirectory()) {
        if (depth < DEEPEST) yield* walk(path, `${name}/`, depth + 1);
      } else if (entry.isSymbolicLink() && (await leadsOut(place.root, path))) {
        onProblem?.({ path, code: 'refused', message: `a link that leads out of ${place.root} is not followed` });
      }
    }
  }
}

/** Whose a file is, by its path below the place with `/` between the names. */
export function describeFile(place: Place, name: string): Omit<FoundFile, 'path'> | undefined {
  const file = place.layout.fileIn(`${place.prefix}${name}`);
  return file && { agent: place.agent, root: place.root, sessionId: file.sessionId, taskId: file.taskId };
}

/** What lies in a folder, by name. One that is gone or locked has nothing to give. */
async function entriesOf(folder: string, onProblem?: (problem: Problem) => void): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    const { code = 'io', message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') onProblem?.({ path: folder, code, message });
    return [];
  }
}

/** What a link within the root leads to is found without it; what it leads to elsewhere is not ours to read (T-23). */
async function leadsOut(root: string, path: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  return real === undefined || !isInside(root, real);
}

/** The file itself, where one was named. */
export async function singleFile({ dir, agents = allAgents }: DiscoverOptions): Promise<FoundFile | undefined> {
  if (dir === undefined || !(await stat(dir).catch(() => undefined))?.isFile()) return undefined;
  const path = await realpath(dir);
  // The names above it are looked at from near to far: any of them may be the folder of all.
  const names = path.split(/[\\/]/);
  for (const agent of agents) {
    for (let count = 2; count <= Math.min(names.length, DEEPEST); count++) {
      const file = agent.transcripts?.fileIn(names.slice(-count).join('/'));
      if (file) return { agent, root: dirname(path), path, ...file };
    }
  }
  return { root: dirname(path), path };
}

/** A folder with sessions in it is one project's: the layout wants to see its name. */
async function prefixOf(root: string, layout: TranscriptLayout): Promise<string> {
  const prefix = `${basename(root)}/`;
  const entries = await entriesOf(root);
  return entries.some((entry) => entry.isFile() && layout.fileIn(`${prefix}${entry.name}`)) ? prefix : '';
}

async function realFolder(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

async function mustBeThere(dir: string): Promise<void> {
  if (!(await stat(dir).catch(() => undefined))) throw new StoreError('not-found', `there is no ${dir}`);
}
