// What is known about a sub-agent beside its lines: which call started it, and what it is. Newer agents keep a small file for it;
// of older ones the session's own file tells.

import type { FileHandle } from 'node:fs/promises';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { createDecoder, type Json } from '@tailrace/core';
import { isInside, openInside } from '../tail/open-file.ts';
import type { FoundFile } from './discover.ts';

/** Such a file has a few hundred bytes. */
const LONGEST_ABOUT = 256 * 1024;
/** Deeper than this nothing is told; and what is very deep cannot be written down again. */
const DEEPEST_ABOUT = 32;
/** The first lines say whose they are. */
const FIRST_BYTES = 256 * 1024;

/** What the file beside it tells about a sub-agent's file. */
export async function readAbout(file: FoundFile): Promise<Json> {
  const name = file.taskId === undefined ? undefined : file.agent?.transcripts?.aboutFile(basename(file.path));
  if (name === undefined) return undefined;
  try {
    const handle = await openInside(file.root, join(dirname(file.path), name));
    const about: unknown = JSON.parse((await readSome(handle, LONGEST_ABOUT)).toString('utf8'));
    return typeof about === 'object' && about !== null && isShallow(about, DEEPEST_ABOUT) ? about : undefined;
  } catch {
    // Not there, not whole yet, or not what it should be: the lines count without it.
    return undefined;
  }
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}

/** Finds in the sessions' own files what they tell about their sub-agents. Holds what the last one told. */
export function createTaskFinder(): (file: FoundFile) => Promise<Json> {
  let last: { readonly path: string; readonly tasks: Promise<ReadonlyMap<string, Json>> } | undefined;
  return async (file) => {
    if (file.taskId === undefined || !file.agent?.transcripts) return undefined;
    try {
      const path = await sessionFileOf(file);
      if (path === undefined) return undefined;
      if (last?.path !== path) last = { path, tasks: tasksIn({ ...file, path }) };
      return (await last.tasks).get(file.taskId);
    } catch {
      return undefined;
    }
  };
}

/** The session's file in one of the folders above; known by its name. */
async function sessionFileOf(file: FoundFile): Promise<string | undefined> {
  const layout = file.agent?.transcripts;
  const sessionId = file.sessionId ?? (await firstSessionId(file));
  if (!layout || sessionId === undefined || !layout.isSessionId(sessionId)) return undefined;
  for (let folder = dirname(file.path); isInside(file.root, folder) || folder === file.root; folder = dirname(folder)) {
    for (const name of await readdir(folder)) {
      // Any name will do for the folder that the layout does not get to see.
      const way = `${relative(dirname(folder), folder).split(sep).join('/') || '-'}/${name}`;
      const found = layout.fileIn(way);
      if (found?.sessionId === sessionId && found.taskId === undefined) return join(folder, name);
    }
  }
  return undefined;
}

/** The session that the first lines of a file are of. */
export async function firstSessionId(file: FoundFile): Promise<string | undefined> {
  const handle = await openInside(file.root, file.path);
  const decoder = createDecoder({ agent: file.agent ?? 'auto' });
  for (const event of decoder.feed(await readSome(handle, FIRST_BYTES), { source: 'transcript' }))
    if (event.sessionId !== undefined) return event.sessionId;
  return undefined;
}

async function tasksIn(file: FoundFile): Promise<ReadonlyMap<string, Json>> {
  const tasks = new Map<string, Json>();
  const layout = file.agent?.transcripts;
  const decoder = createDecoder({ agent: file.agent ?? 'auto' });
  const handle = await openInside(file.root, file.path);
  for await (const bytes of handle.createReadStream({ highWaterMark: 1024 * 1024 }))
    for (const event of decoder.feed(bytes as Buffer, { source: 'transcript' }))
      if (event.type === 'task-start') tasks.set(event.taskId, layout?.describe(event));
  return tasks;
}

/** The beginning of a file, which is closed then. */
async function readSome(handle: FileHandle, size: number): Promise<Buffer> {
  try {
    const buffer = Buffer.alloc(size);
    const { bytesRead } = await handle.read(buffer, 0, size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
