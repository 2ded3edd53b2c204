// Text of an agent as it is: whatever cannot be seen, or would make the rest look different, is shown as a mark (T-19).

import { hiddenIn, revealHidden, type TextPiece } from '@tailrace/core';
import { memo, type ReactElement, type ReactNode } from 'react';
import { hiddenName } from './hidden-names.ts';
import { useShown } from './shown.tsx';

export interface PlainTextProps {
  readonly text: string;
  /** Line breaks and spaces are kept. Otherwise it stays on one line, and a line break is a mark. */
  readonly isBlock?: boolean;
}

/** More marks than this would only slow the page down; then they are written out in the text, and in a long text at once. */
const MOST_MARKS = 2000;
const LONGEST_MARKED = 50_000;

export const PlainText = memo(function PlainText({ text, isBlock = false }: PlainTextProps): ReactElement {
  const shown = useShown();
  return (
    <bdi dir="ltr" className={isBlock ? 'break-words whitespace-pre-wrap' : undefined}>
      {withMarks(shown(text), isBlock)}
    </bdi>
  );
});

/** The text with its marks, for whoever brings an element of their own; it has passed the gate (shown.tsx). */
export function withMarks(text: string, isBlock: boolean): ReactNode {
  if (text.length > LONGEST_MARKED) return written(text, isBlock);
  const pieces = isBlock ? hiddenIn(text) : hiddenIn(text).flatMap(breakLines);
  const [first] = pieces;
  if (!first || (pieces.length === 1 && !first.isHidden)) return text;
  if (pieces.length > 2 * MOST_MARKS) return written(text, isBlock);
  let at = 0;
  return pieces.map((piece) => {
    const key = at;
    at += piece.text.length;
    return piece.isHidden ? <HiddenMark key={key} character={piece.text} /> : piece.text;
  });
}

function written(text: string, isBlock: boolean): string {
  const revealed = revealHidden(text);
  return isBlock ? revealed : revealed.replaceAll('\n', ' ↵ ');
}

function breakLines(piece: TextPiece): readonly TextPiece[] {
  if (piece.isHidden || !piece.text.includes('\n')) return [piece];
  return piece.text
    .split(/(\n)/)
    .filter((part) => part !== '')
    .map((part) => ({ text: part, isHidden: part === '\n' }));
}

function HiddenMark({ character }: { readonly character: string }): ReactElement {
  if (character === '\n') {
    return (
      <mark title="line break" className="bg-transparent px-0.5 text-muted">
        ↵
      </mark>
    );
  }
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const name = hiddenName(character);
  return (
    <mark
      title={name === undefined ? code : `${code} ${name}`}
      className="mx-px rounded-sm border border-bad bg-bad-surface px-0.5 font-mono text-[0.85em] whitespace-nowrap text-bad"
    >
      {code}
    </mark>
  );
}
