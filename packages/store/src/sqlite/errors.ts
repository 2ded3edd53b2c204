// What SQLite says went wrong, in the store's words.

import { StoreError, type StoreErrorCode } from '../errors.ts';

/** Gives an error of SQLite its class; everything else is given back as it is. */
export function toStoreError(error: unknown, file?: string): unknown {
  if (error instanceof StoreError) return error;
  const code = sqliteCode(error);
  const known = code === undefined ? undefined : classify(code);
  if (known === undefined) return error;
  const where = file === undefined ? 'The store' : `The store ${file}`;
  return new StoreError(known, `${where} ${sentences[known]} (${code}).${ways[known] ?? ''}`, { cause: error });
}

/** Whether another writer is in the way: trying again may help. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && classify(code) === 'busy';
}

/** The code of an error that came from SQLite: `SQLITE_BUSY_SNAPSHOT` and the like. */
function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' && error.code.startsWith('SQLITE_') ? error.code : undefined;
}

type Known = 'busy' | 'full' | 'io' | 'corrupt' | 'read-only' | 'refused';

function classify(code: string): Known | undefined {
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
