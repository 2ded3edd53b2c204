// One server for one data folder: whoever comes second is told where the first one is. What a dead server has left counts for nothing.
//
// The sign is a file with a token of its own, and it is never away while its server lives. Where it is of a dead one, whoever makes the
// file that is named after its token is the next: only one can. That one may die too, before its own sign is up; then the next is
// named after its token, and so on.

import { createHash, randomUUID } from 'node:crypto';
import { closeSync, linkSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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
  // It becomes a part of a file's name.
  token: z.string().regex(/^[\w-]{1,64}$/),
  url: z.string().optional(),
  pid: z.number(),
  start: z.string(),
  place: z.string(),
  at: z.number(),
});

const TRIES = 20;
/** What cannot be read is somebody's who is writing it; after so long, nobody's. */
const WRITING_MS = 60_000;

/** Takes the place of the one server of a data folder, or says who has it. */
export async function takePlace(folder: string): Promise<ServerPlace | TakenPlace> {
  const file = join(folder, 'server.json');
  const own: Sign = { token: randomUUID(), ...(await ourselves(systemProcesses, Date.now())) };
  const draft = `${file}.${own.token}`;
  replaceFile(draft, JSON.stringify(own));
  try {
    for (let count = 0; count < TRIES; count++) {
      const holder = await tryToTake(file, draft, own);
      if (holder && holder !== own) return { url: holder.url, pid: holder.pid };
      if (!holder) continue;
      await tidy(file, own);
      return held(file, own);
    }
    throw new Error(`the place of the server cannot be taken: ${file}`);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Who has the place now; nothing when it has changed meanwhile, and has to be looked at again. */
async function tryToTake(file: string, draft: string, own: Sign): Promise<Sign | undefined> {
  if (tryLink(draft, file)) return own;
  const shown = read(file);
  for (let last = shown; last; ) {
    if (await isLiving(last, systemProcesses, Date.now())) return last;
    const next = nextOf(file, last.token);
    if (tryLink(draft, next)) {
      // Somebody may have been the next before, and have tidied up since.
      if (read(file)?.token === shown?.token) {
        replaceFile(file, JSON.stringify(own));
        return own;
      }
      rmSync(next, { force: true });
      return undefined;
    }
    last = read(next);
  }
  return undefined;
}

function nextOf(file: string, token: string): string {
  return `${file}.after-${token}`;
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

/** Takes away what those have left who died on their way: the sign is up, and nobody needs what is named after older ones. */
async function tidy(file: string, own: Sign): Promise<void> {
  const names = readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.`));
  for (const name of names) {
    const path = join(dirname(file), name);
    if (name.startsWith(basename(nextOf(file, ''))) || (await isLeft(path, own))) rmSync(path, { force: true });
  }
}

async function isLeft(path: string, own: Sign): Promise<boolean> {
  try {
    const found = read(path);
    if (!found || found.token === own.token) return false;
    if (found.isDamaged) return Date.now() - statSync(path).mtimeMs > WRITING_MS;
    return !(await isLiving(found, systemProcesses, Date.now()));
  } catch {
    // Not one of ours.
    return false;
  }
}

/** Nothing where there is none. What nobody can have left in one piece is nobody's, and known by what it holds. */
function read(file: string): (Sign & { readonly isDamaged?: true }) | undefined {
  // A draft, and what it was put up as.
  const opened = openToRead(file, { maxNames: 2 });
  if (!opened) return undefined;
  try {
    const text = readFileSync(opened.descriptor);
    return parse(text.toString('utf8')) ?? { ...NOBODY, token: createHash('sha256').update(text).digest('hex') };
  } finally {
    closeSync(opened.descriptor);
  }
}

const NOBODY = { pid: 0, start: 'never', place: 'nowhere', at: 0, isDamaged: true } as const;

function parse(text: string): Sign | undefined {
  try {
    return sign.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
