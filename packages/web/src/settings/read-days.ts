/** A hundred years. */
const MOST_DAYS = 36_500;

/** The number of days that somebody typed; nothing where it is none. */
export function readDays(text: string): number | undefined {
  const clean = text.trim();
  if (!/^\d{1,5}$/.test(clean)) return undefined;
  const days = Number(clean);
  return days >= 1 && days <= MOST_DAYS ? days : undefined;
}
