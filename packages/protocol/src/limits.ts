// Every limit of what travels, in one place.

/** No frame from the server is longer. */
export const MAX_FRAME_BYTES: number = 256 * 1024;
/** An event that is no longer travels whole, whatever strings it has. */
export const MAX_WHOLE_EVENT_BYTES: number = 64 * 1024;
/** A longer string in a longer event travels as its beginning, with a place where the whole can be had. */
export const MAX_STRING_BYTES: number = 8 * 1024;
/** No message from a client is longer. */
export const MAX_CLIENT_MESSAGE_BYTES = 1_000_000;
/** The longest prompt that a page of a desktop app may send, in characters. */
export const MAX_PROMPT_LENGTH: number = 1024 * 1024;
/** So much may wait for a client that reads slowly; then it is told, and the socket is closed. */
export const MAX_QUEUED_BYTES: number = 1024 * 1024;
/** Sockets of one sign-in, or of one token. */
export const MAX_SOCKETS = 200;
/** Subscriptions of one socket. */
export const MAX_SUBSCRIPTIONS = 100;
/** Ids that a subscription or a filter may name. */
export const MAX_IDS = 1000;
/** The longest id, key or name. */
export const MAX_ID_LENGTH = 200;
/** How often progress may be asked for. */
export const MIN_PROGRESS_INTERVAL_MS = 100;
/** The server says something at least this often. */
export const HEARTBEAT_MS = 15_000;
/** Things of one page over HTTP, at most, and unless asked otherwise. */
export const MAX_PAGE_ITEMS = 1000;
export const PAGE_ITEMS = 100;
/** The longest text that is searched for. */
export const MAX_SEARCH_LENGTH = 1000;
/** The longest name or tag that a person gives to something. */
export const MAX_LABEL_LENGTH = 500;
