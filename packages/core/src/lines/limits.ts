// Every limit on outside input in one place; each has a test at the limit and on both sides of it.

/** The longest line the library parses unless told otherwise. The command, the runner and the store use 64 MiB. */
export const MAX_LINE_BYTES: number = 10 * 1024 * 1024;

/** The longest line that can be asked for: a string has room for about twice as much. */
export const LONGEST_LINE_BYTES: number = 256 * 1024 * 1024;

/** The deepest nesting that is parsed: `JSON.parse` takes a million levels, but `JSON.stringify` fails below 5,000. */
export const MAX_DEPTH = 512;

/** How much of a line that is too long is kept to show what it was. */
export const PREVIEW_BYTES = 200;

/** How much of a line that is not JSON is kept as text. */
export const RAW_TEXT_BYTES: number = 64 * 1024;

/** How much is held back while it is not clear which agent speaks. */
export const DETECT_BYTES: number = 64 * 1024;

/** How many messages are looked at to tell which agent speaks. */
export const DETECT_MESSAGES = 200;
