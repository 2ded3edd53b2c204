// Every limit of the client, in one place.

/** The first wait before a lost connection is made again; each further one is twice as long. */
export const FIRST_RETRY_MS = 250;
/** No wait is longer. */
export const LONGEST_RETRY_MS = 30_000;
/** So long a server may take until it says hello. */
export const HELLO_MS = 10_000;
/** A server that said nothing for so many heartbeats is gone. */
export const SILENT_HEARTBEATS = 2;
/** A server that wants to say something less often is not believed. */
export const LONGEST_HEARTBEAT_MS = 120_000;
/** So long a request over HTTP may take. */
export const REQUEST_MS = 30_000;
/** Commands that wait for their reply. */
export const MAX_COMMANDS = 1000;
/** Commands that the server has not answered yet, and as many subscriptions; others wait. It takes up a hundred messages at once. */
export const MAX_UNANSWERED = 32;
/** Events that a list of them holds, unless another number is asked for. */
export const LISTED_EVENTS = 1000;
/** Views are told of changes no more often: also where a screen is faster than people see. */
export const MIN_FRAME_MS = 12;
/** In a page that is not shown nothing is drawn; then changes are told after this time. */
export const HIDDEN_FRAME_MS = 250;
/** What is no longer used is kept so long: React takes effects back and makes them again. */
export const LINGER_MS = 50;
/** Stores that nobody uses. */
export const MAX_IDLE_STORES = 100;
/** The bill is asked for again at most this often while sessions change. */
export const USAGE_REFRESH_MS = 2000;
