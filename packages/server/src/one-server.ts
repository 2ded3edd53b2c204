// One server for one data folder: whoever comes second is told where the first one is. What a dead server has left counts for nothing.

import { randomUUID } from 'node:crypto';
import { closeSync, linkSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Holder, isLiving, ourselves, systemProcesses } from '@tailrace/store';
import { z } from 'zod';
import { openToRead, replaceFile } from './guard/private-file.ts';

export interface ServerPlace {
  /** Says where the server is, for those who come later. */
  tell(url: string): void;
  leave(): void;
}

export interface TakenPlace {
  /** Where the server is that is there already; nothing while it is starting. */
  readonly url: string | undefined;
  readonly pid: number;
}

interface Sign extends Holder {
  readonly token: string;
  readonly url?: string | undefined;
}

const sign: z.ZodType<Sign> = z.object({
  token: z.string(),
  url: z.string().optional(),
  pid: z.number(),
  start: z.string(),
  place: z.string(),
  at: z.number(),
});

const TRIES = 20;

/** Takes the place of the one server of a data folder, or says who has it. */
export async function takePlace(folder: string): Promise<ServerPlace | TakenPlace> {
  const file = join(folder, 'server.json');
  const own: Sign = { token: randomUUID(), ...(await ourselves(systemProcesses, Date.now())) };
  const draft = `${file}.${own.token}`;
  replaceFile(draft, JSON.stringify(own));
  try {
    for (let count = 0; count < TRIES; count++) {
      if (tryLink(draft, file)) return held(file, own);
      const other = read(file);
      if (other && (await isLiving(other, systemProcesses, Date.now()))) return { url: other.url, pid: other.pid };
      clear(file, other);
    }
    throw new Error(`the place of the server cannot be taken: ${file}`);
  } finally {
    rmSync(draft, { force: true });
  }
}

function held(file: string, own: Sign): ServerPlace {
  const isOurs = (): boolean => read(file)?.token === own.token;
  return {
    tell(url) {
      if (isOurs()) replaceFile(file, JSON.stringify({ ...own, url }));
    },
    leave() {
      if (isOurs()) rmSync(file, { force: true });
    },
  };
}

/** Of several who try at once one succeeds. */
function tryLink(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Takes the sign of a dead server away; if it was another one by then, it is put back. */
function clear(file: string, dead: Sign | undefined): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch {
    // Somebody else was quicker.
    return;
  }
  if (read(aside)?.token !== dead?.token) tryLink(aside, file);
  rmSync(aside, { force: true });
}

/** Nothing where there is none, or one that nobody could have left in one piece. */
function read(file: string): Sign | undefined {
  const opened = openToRead(file);
  if (!opened) return undefined;
  try {
    return sign.safeParse(JSON.parse(readFileSync(opened.descriptor, 'utf8'))).data;
  } catch {
    return undefined;
  } finally {
    closeSync(opened.descriptor);
  }
}
