// The programs that may come in, on the disk: as hashes, in a file that is private to the person.

import { closeSync, readFileSync } from 'node:fs';
import { TailraceError } from '@tailrace/runner';
import { z } from 'zod';
import { RIGHTS } from './guard.ts';
import { MAX_PROGRAM_FILE_BYTES } from './limits.ts';
import { openToRead, replaceFile } from './private-file.ts';
import type { Program, ProgramsOptions } from './programs.ts';

const programs: z.ZodType<readonly Program[]> = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    rights: z.array(z.enum(RIGHTS)),
    hash: z.string(),
    madeAt: z.number(),
  }),
);

/**
 * What `createPrograms` needs to keep its programs. Throws a {@link TailraceError} for a file that others may read or write, for a link,
 * and for one that is damaged: a right is never guessed.
 *
 * @example
 * const programs = createPrograms(openProgramFile(join(dataFolder, 'programs.json')));
 */
export function openProgramFile(file: string): Required<Pick<ProgramsOptions, 'kept' | 'keep'>> {
  return {
    kept: read(file),
    keep: (all) => replaceFile(file, `${JSON.stringify(all, undefined, 2)}\n`),
  };
}

function read(file: string): readonly Program[] {
  const opened = openToRead(file);
  if (!opened) return [];
  const { descriptor, bytes } = opened;
  try {
    if (bytes > MAX_PROGRAM_FILE_BYTES) throw new Error('it is too large');
    return programs.parse(JSON.parse(readFileSync(descriptor, 'utf8')));
  } catch (error) {
    throw new TailraceError(
      'program-file-damaged',
      `${file} is not what it should be; remove it, and let your programs in again: rm ${file}`,
      { cause: error },
    );
  } finally {
    closeSync(descriptor);
  }
}
