// The terminal that is printed on.

/** How wide the terminal is; a pipe has no end, but eyes have. */
export function screenWidth(): number {
  return process.stdout.columns ?? 120;
}
