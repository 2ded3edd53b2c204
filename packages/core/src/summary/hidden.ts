// Characters that cannot be seen, or that make others look different from what they are: whoever shows a command, a path or a name
// writes them out (T-19).

/** Controls, what turns the direction of writing, what takes no room, halves of characters, and the two odd line ends. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Surrogate}\p{Zl}\p{Zp}]/gu;

/** A stretch of a text: all of it can be seen, or it is one character that hides. */
export interface TextPiece {
  readonly text: string;
  readonly isHidden: boolean;
}

/** The text in pieces, which together are the whole. Line feeds and tabs are what they seem. */
export function hiddenIn(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (index > end) pieces.push({ text: text.slice(end, index), isHidden: false });
    pieces.push({ text: character, isHidden: true });
    end = index + character.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isHidden: false });
  return pieces;
}

/** The text with a mark such as `\u{202e}` for each character that hides. */
export function revealHidden(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
