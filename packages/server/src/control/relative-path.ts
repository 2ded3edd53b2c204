// The one path that a client may send: of a folder below a project (T-23). Here is how it may look; where it leads is looked at on disk.

import { ProblemError } from '../problem-error.ts';
import { MAX_PATH_LENGTH } from './limits.ts';

/** The names on the way down, none for the project itself. Throws a {@link ProblemError} where the path could lead anywhere else. */
export function splitPath(path: string): readonly string[] {
  if (path === '') return [];
  if (path.length > MAX_PATH_LENGTH) throw refuse(`has more than ${MAX_PATH_LENGTH} characters`);
  if (path.includes('\\')) throw refuse('has a backslash');
  // Drives, and streams of files, on Windows.
  if (/^[A-Za-z]:/.test(path)) throw refuse('names a drive');
  if (/\p{Cc}/u.test(path)) throw refuse('has a control character');
  // Half of a character would be written as another one.
  if (/\p{Surrogate}/u.test(path)) throw refuse('has half of a character');
  // An absolute path begins with an empty one.
  const names = path.split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..'))
    throw refuse('has an empty name, "." or ".."');
  return names;
}

function refuse(fault: string): ProblemError {
  return new ProblemError(
    'bad-request',
    `the path ${fault}; it has to lead down from the project, as in "packages/app"`,
  );
}
