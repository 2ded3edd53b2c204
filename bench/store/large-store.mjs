// The large store of the benchmarks, made once and kept beside the other fixtures.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generate } from './generate.mjs';

/** Opens it, with its history up to date. */
export async function largeStore({ file, sessions, store: entry }) {
  if (!existsSync(file)) {
    const fresh = `${dirname(file)}.part`;
    rmSync(fresh, { recursive: true, force: true });
    await generate({ file: `${fresh}/tailrace.db`, sessions, store: entry });
    rmSync(dirname(file), { recursive: true, force: true });
    mkdirSync(dirname(dirname(file)), { recursive: true });
    renameSync(fresh, dirname(file));
  }
  const { openStore } = await import(pathToFileURL(entry));
  const store = await openStore({ file });
  await store.history.catchUp();
  return store;
}
