// The files that belong to a session's file: the lines of its sub-agents, each with the small file that tells about it.

import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { agents, createDecoder, type EventOf, type TranscriptLayout } from '@tailrace/core';
import type { StreamOptions } from './options.ts';
import { readBytes } from './read.ts';
import { readEvents } from './read-stream.ts';

export interface Companion {
  readonly file: string;
  /** What the file beside it tells, or else what the session itself tells about the sub-agent. */
  readonly about: unknown;
}

type SessionFile = Pick<StreamOptions, 'file' | 'agent' | 'maxLineBytes'>;

/** The sub-agents' files of the session in this file; none for anything that is no session's file. */
export async function companionsOf(session: SessionFile): Promise<readonly Companion[]> {
  // The folders lie where the file really is.
  const sessionFile = await realpath(session.file).catch(() => session.file);
  const found: Companion[] = [];
  for (const { transcripts } of agents) {
    if (!transcripts) continue;
    for (const { path, isShared } of transcripts.folders(sessionFile)) {
      const files = new Set(await filesIn(path, !isShared));
      for (const file of files) {
        const aboutName = transcripts.aboutFile(basename(file));
        if (aboutName === undefined || file === sessionFile) continue;
        if (isShared && !(await isOf(transcripts, file, sessionFile))) continue;
        const aboutFile = join(dirname(file), aboutName);
        found.push({ file, about: files.has(aboutFile) ? await readAbout(aboutFile) : undefined });
      }
    }
    if (found.some(({ about }) => about === undefined)) return describeAll(session, transcripts, found);
  }
  return found;
}

/** Regular files only: a pipe or a device among them would be waited for. */
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
    const about: unknown = JSON.parse(await readFile(path, 'utf8'));
    return typeof about === 'object' && about !== null ? about : undefined;
  } catch {
    return undefined;
  }
}

/** Where nothing lies beside a sub-agent's lines, the session's own file may name the call that started it. */
async function describeAll(
  session: SessionFile,
  layout: TranscriptLayout,
  companions: readonly Companion[],
): Promise<readonly Companion[]> {
  const tasks = new Map<string, EventOf<'task-start'>>();
  await readEvents(session, (events) => {
    for (const event of events) if (event.type === 'task-start') tasks.set(event.taskId, event);
  });
  return companions.map(({ file, about }) => {
    const task = tasks.get(layout.taskOf(basename(file)) ?? '');
    return { file, about: about ?? (task && layout.describe(task)) };
  });
}
