// The limits of requests (T-11), in one place.

/** All headers of a request together. */
export const MAX_HEADER_BYTES: number = 16 * 1024;
/** So long a client may take for its headers. */
export const HEADERS_MS = 10_000;
/** So long it may take for all of its request. */
export const REQUEST_MS = 30_000;
/** How often that is looked at. */
export const CHECK_MS = 1_000;
/** A connection without a request is kept for so long. */
export const KEEP_ALIVE_MS = 5_000;
/** A connection on which nothing moves is given up. */
export const IDLE_MS = 120_000;
/** Sockets of listeners are among them. */
export const MAX_CONNECTIONS = 4_000;
/** The longest key of a command that is done once. */
export const MAX_KEY_LENGTH = 200;
/** A page of events ends with the line that reaches this. */
export const MAX_PAGE_BYTES: number = 4 * 1024 * 1024;
/** Rows that are looked at together. */
export const PIECE_ROWS = 500;
/** Programs that can be let in. */
export const MAX_PROGRAMS = 100;
