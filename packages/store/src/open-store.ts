// A store of one's own: the record on SQLite with the history that is made of it.

import type { Store } from './contract.ts';
import { forgetHistory } from './sqlite/history/forget-history.ts';
import { createHistory } from './sqlite/history/history.ts';
import { createMetadata } from './sqlite/history/metadata.ts';
import { scrubSearch } from './sqlite/history/scrub-search.ts';
import type { StoreOptions } from './sqlite/options.ts';
import { assembleStore } from './sqlite/store.ts';

/**
 * Opens the store in a file, which is made where there is none and brought up to date. Rejects with a `StoreError`.
 *
 * @example
 * const store = await openStore({ file: 'data/tailrace.db' });
 */
export function openStore(options: StoreOptions): Promise<Store> {
  const { clock } = options;
  return assembleStore(options, (connection) => ({
    history: createHistory(connection, { clock }),
    metadata: createMetadata(connection, { clock }),
    forget: (sessionId) => forgetHistory(connection, sessionId),
    scrub: () => scrubSearch(connection),
  }));
}
