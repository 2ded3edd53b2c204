/** The beginning of a text on one line, for a list. */
export function beginningOf(text: string, characters: number): string {
  // Twice as many units hold that many characters; the rest is never looked at.
  const line = text
    .slice(0, 8 * characters)
    .replaceAll(BLANKS, ' ')
    .trim();
  const all = [...line.slice(0, 2 * characters + 2)];
  return all.length <= characters && line.length <= 2 * characters + 2
    ? line
    : `${all.slice(0, characters - 1).join('')}…`;
}

const BLANKS = /\s+/gu;
