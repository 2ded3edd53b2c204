// The files that belong to a session's file: the lines of its sub-agents, each with the small file that tells about it.

import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { agents, createDecoder, type TranscriptLayout } from '@tailrace/core';
import { readBytes } from './read.ts';

export interface Companion {
  readonly file: string;
  /** What the file beside it tells, if there is one that can be read. */
  readonly about: unknown;
}

/** The sub-agents' files of the session in this file; none for anything that is no session's file. */
export async function companionsOf(sessionFile: string): Promise<readonly Companion[]> {
  const found: Companion[] = [];
  for (const { transcripts } of agents) {
    if (!transcripts) continue;
    for (const { path, isShared } of transcripts.folders(sessionFile)) {
      for (const file of await filesIn(path, !isShared)) {
        const aboutName = transcripts.aboutFile(basename(file));
        if (aboutName === undefined || file === sessionFile) continue;
        if (isShared && !(await isOf(transcripts, file, sessionFile))) continue;
        found.push({ file, about: await readAbout(join(dirname(file), aboutName)) });
      }
    }
  }
  return found;
}

async function filesIn(folder: string, isDeep: boolean): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: isDeep });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch {
    // Most sessions have no sub-agents, and most files are no session's.
    return [];
  }
}

/** A folder with the files of many sessions: the lines say whose they are. */
async function isOf(layout: TranscriptLayout, file: string, sessionFile: string): Promise<boolean> {
  const decoder = createDecoder({ keepMessage: true });
  for await (const bytes of readBytes(file)) {
    for (const { native } of decoder.feed(bytes)) if (native !== undefined) return layout.isOf(native, sessionFile);
  }
  return false;
}

async function readAbout(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}
