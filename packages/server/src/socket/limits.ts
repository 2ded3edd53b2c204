// The limits of sockets; those that clients should know are in the protocol.

/** The socket is closed with this when its client reads too slowly: it can come again at once, and go on. */
export const CLOSED_BEHIND = 4008;
/** Whoever has signed out, or whose token was taken back. */
export const CLOSED_OUT = 4001;
/** The server ends. */
export const CLOSED_AWAY = 1001;
/** A client that is let go has so long to read what it was told; then the socket is cut. */
export const LET_GO_MS = 5_000;
/** So many messages of one client may wait to be done. */
export const MAX_WAITING_MESSAGES = 100;
