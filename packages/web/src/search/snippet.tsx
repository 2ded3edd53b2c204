// The words around what was found, with what was looked for standing out. Only text: nothing in it can become an element.

import { Fragment, type ReactElement } from 'react';
import { withMarks } from '../text/plain-text.tsx';
import { useShown } from '../text/shown.tsx';

export interface SnippetProps {
  readonly text: string;
  /** In UTF-16 units, in order. */
  readonly ranges: readonly (readonly [number, number])[];
}

export function Snippet({ text, ranges }: SnippetProps): ReactElement {
  const shown = useShown()(text);
  // A secret is not shown, and then nobody knows any more where the words stand.
  if (shown !== text) return <bdi dir="ltr">{withMarks(shown, false)}</bdi>;
  return (
    <bdi dir="ltr">
      {piecesOf(text, ranges).map(({ from, piece, isFound }) =>
        isFound ? (
          <mark key={from} className="rounded-sm bg-working/20 px-px font-medium text-text">
            {withMarks(piece, false)}
          </mark>
        ) : (
          <Fragment key={from}>{withMarks(piece, false)}</Fragment>
        ),
      )}
    </bdi>
  );
}

interface Piece {
  readonly from: number;
  readonly piece: string;
  readonly isFound: boolean;
}

/** Whatever the ranges say, all of the text is there once. */
export function piecesOf(text: string, ranges: readonly (readonly [number, number])[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  const add = (to: number, isFound: boolean): void => {
    if (to > end) pieces.push({ from: end, piece: text.slice(end, to), isFound });
    end = Math.max(end, to);
  };
  for (const [from, to] of ranges) {
    add(Math.min(from, text.length), false);
    add(Math.min(to, text.length), true);
  }
  add(text.length, false);
  return pieces;
}
