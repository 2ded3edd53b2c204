// The terminal that is printed on.

/** How wide the terminal is; without one, as `COLUMNS` says. A pipe has no end, but eyes have. */
export function screenWidth(withoutTerminal = 120): number {
  const told = Number(process.env['COLUMNS']);
  return process.stdout.columns || (Number.isSafeInteger(told) && told > 0 ? told : withoutTerminal);
}
