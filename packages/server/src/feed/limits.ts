// The limits of the feed.

/** How often it is looked whether another process has written. */
export const LOOK_MS = 40;
/** Between two rounds: what comes together in this time goes out together. */
export const ROUND_MS = 10;
/** So often it is looked whether somebody has stopped writing. */
export const REST_LOOK_MS = 1_000;
/** After a failure of the store it is tried again. */
export const RETRY_MS = 1_000;
/** A session that changes all the time is shown in lists at most this often. */
export const SESSION_LOOK_MS = 200;
/** A replay waits while so much is on its way to the client. */
export const REPLAY_QUEUED_BYTES: number = 256 * 1024;
/** A run that was only just begun is waited for, so many rounds. */
export const RUN_ROUNDS = 100;
