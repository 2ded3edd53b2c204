// The terminal that is printed on.

/** What waits for what comes next, such as a paragraph whose end is not sure, is printed when nothing came for so long. */
export const QUIET_MS = 120;

/** How wide the terminal is; without one, as `COLUMNS` says. A pipe has no end, but eyes have. */
export function screenWidth(withoutTerminal = 120): number {
  const told = Number(process.env['COLUMNS']);
  return process.stdout.columns || (Number.isSafeInteger(told) && told > 0 ? told : withoutTerminal);
}
