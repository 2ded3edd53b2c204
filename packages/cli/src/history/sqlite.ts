// Everything of the store that needs SQLite, in a file of its own: it is loaded when somebody asks for history.

import BetterSqlite3 from 'better-sqlite3';

export { checkStore, importHooks, importTranscripts, openStore, repairStore, watchTranscripts } from '@tailrace/store';

// The native part is loaded with the first database, and not before. Where it is missing this file cannot be loaded either, so that
// nobody goes on and leaves an empty store behind.
new BetterSqlite3(':memory:').close();
