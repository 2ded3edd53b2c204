// Every limit of the store in one place.

/** The oldest SQLite that is trusted: older ones can damage a file in write-ahead mode when it is checkpointed at a bad time. */
export const MIN_SQLITE_VERSION = '3.51.3';

/** How long SQLite itself waits for another writer. It stops the whole process, so it is short; behind it the queue waits. */
export const BUSY_TIMEOUT_MS = 250;

/** How long a write is tried again, without stopping the process, before it fails as `busy`. */
export const WRITE_WAIT_MS = 30_000;

/** The pause between two tries. */
export const WRITE_RETRY_MS = 20;

/** How many bytes of lines one commit takes at most, unless one call alone has more. */
export const COMMIT_BYTES: number = 4 * 1024 * 1024;

/** How many lines one commit takes at most, unless one call alone has more. */
export const COMMIT_LINES = 10_000;

/** How many bytes of lines are read at once, unless one line alone has more. */
export const READ_BYTES: number = 4 * 1024 * 1024;

/** How many lines are read at once. */
export const READ_LINES = 10_000;

/** After this silence a writer that cannot be seen from here (in another container) counts as gone. */
export const UNSEEN_WRITER_MS: number = 10 * 60 * 1000;

/** How many bytes of a run may be on their way to the disk before the agent has to wait. */
export const MAX_UNKEPT_BYTES: number = 16 * 1024 * 1024;
