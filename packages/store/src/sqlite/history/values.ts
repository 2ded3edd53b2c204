// JavaScript's numbers as the columns take them: what came from outside may be anything.

/** A whole number that is exact, or nothing. */
export function wholeOf(value: number | null | undefined): number | null {
  if (value === null || value === undefined || !Number.isFinite(value)) return null;
  return Math.min(Math.max(Math.round(value), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

/** A count; what nobody told is none. */
export function countOf(value: number | undefined): number {
  return wholeOf(value) ?? 0;
}

/** The last name in a path of any system. */
export function folderName(path: string): string {
  let end = path.length;
  while (end > 0 && isSeparator(path.charCodeAt(end - 1))) end--;
  let begin = end;
  while (begin > 0 && !isSeparator(path.charCodeAt(begin - 1))) begin--;
  return path.slice(begin, end) || path;
}

function isSeparator(unit: number): boolean {
  return unit === 47 || unit === 92;
}
