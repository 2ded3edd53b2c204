// Long texts are shown in part, and it is said how much more there is.

export interface FoldedText {
  readonly text: string;
  /** How much is not shown. */
  readonly lines: number;
  readonly characters: number;
}

/** A line that never ends is long too. */
const CHARACTERS_A_LINE = 160;

export function foldText(text: string, maxLines: number, keep: 'first' | 'last' = 'first'): FoldedText {
  // What hides no more than the button that would show it is shown.
  if (text.length <= maxLines * CHARACTERS_A_LINE && countLines(text) <= maxLines + 1) {
    return { text, lines: 0, characters: 0 };
  }
  const shown = keep === 'first' ? firstLines(text, maxLines) : lastLines(text, maxLines);
  const hidden = keep === 'first' ? text.slice(shown.length) : text.slice(0, text.length - shown.length);
  return { text: shown, lines: countLines(hidden), characters: hidden.length };
}

function firstLines(text: string, maxLines: number): string {
  let end = 0;
  for (let line = 0; line < maxLines && end < text.length; line++) {
    const next = text.indexOf('\n', end);
    if (next < 0) end = text.length;
    else end = next + 1;
  }
  const longest = maxLines * CHARACTERS_A_LINE;
  if (end <= longest) return text.slice(0, end);
  return text.slice(0, isCutInTwo(text, longest) ? longest - 1 : longest);
}

function lastLines(text: string, maxLines: number): string {
  let start = text.endsWith('\n') ? text.length - 1 : text.length;
  for (let line = 0; line < maxLines && start > 0; line++) start = text.lastIndexOf('\n', start - 1);
  start = start <= 0 ? 0 : start + 1;
  const earliest = text.length - maxLines * CHARACTERS_A_LINE;
  if (start >= earliest) return text.slice(start);
  return text.slice(isCutInTwo(text, earliest) ? earliest + 1 : earliest);
}

/** Characters beyond the first plane are two units, which belong together. */
function isCutInTwo(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

export function countLines(text: string): number {
  if (text === '') return 0;
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** `2.3 MB`, `41 kB`. */
export function showBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `… 41 more lines`, or how much more of a line there is. */
export function showMore({ lines, characters }: FoldedText): string {
  if (lines > 1) return `… ${lines.toLocaleString('en')} more lines`;
  return characters > 2 * CHARACTERS_A_LINE ? `… ${showBytes(characters)} more` : '… 1 more line';
}
