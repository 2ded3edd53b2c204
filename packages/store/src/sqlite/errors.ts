// What SQLite and the disk say went wrong, in the store's words.

import { StoreError, type StoreErrorCode } from '../errors.ts';

/** Gives an error of SQLite or of the disk its class; everything else is given back as it is. */
export function toStoreError(error: unknown, file?: string): unknown {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  const known = classify(code);
  if (known === undefined) return error;
  const where = file === undefined ? 'The store' : `The store ${file}`;
  return new StoreError(known, `${where} ${sentences[known]} (${code}).${ways[known] ?? ''}`, { cause: error });
}

/** Whether another writer is in the way: trying again may help. */
export function isBusy(error: unknown): boolean {
  return classify(codeOf(error)) === 'busy';
}

/** `SQLITE_BUSY_SNAPSHOT` and the like, or `ENOSPC` where the files are made. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

type Known = 'busy' | 'full' | 'io' | 'corrupt' | 'read-only' | 'refused';

function classify(code: string): Known | undefined {
  if (!code.startsWith('SQLITE_')) return diskClasses.get(code);
  // The first word names the class, the words after it the case: SQLITE_IOERR_FSYNC. A place that cannot be opened is one of those.
  const [, first] = code.split('_');
  return classes.get(first ?? '');
}

const classes: ReadonlyMap<string, Known> = new Map([
  ['BUSY', 'busy'],
  ['LOCKED', 'busy'],
  ['PROTOCOL', 'busy'],
  ['FULL', 'full'],
  ['IOERR', 'io'],
  ['CANTOPEN', 'io'],
  ['CORRUPT', 'corrupt'],
  ['NOTADB', 'corrupt'],
  ['READONLY', 'read-only'],
  ['PERM', 'read-only'],
  ['TOOBIG', 'refused'],
]);

const diskClasses: ReadonlyMap<string, Known> = new Map([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EIO', 'io'],
  ['EROFS', 'read-only'],
]);

const sentences: Readonly<Record<Known, string>> = {
  busy: 'is being written by another process',
  full: 'has no room: the disk is full',
  io: 'cannot be read or written',
  corrupt: 'is damaged',
  'read-only': 'cannot be written: it is read-only',
  refused: 'has no place for something that large',
};

const ways: Partial<Record<StoreErrorCode, string>> = {
  full: ' Make room and try again; nothing that was kept is lost.',
  corrupt: ' `tailrace doctor --repair` saves every line that can still be read.',
};
