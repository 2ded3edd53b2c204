// What a person looks for. Everything typed is something to look for: there is no syntax but quotation marks around a phrase.

import { pairsOf, segmentsOf, tokenOf } from './tokens.ts';

/** Tokens that have to stand in a row. */
export interface Term {
  readonly tokens: readonly string[];
  /** The first may be the end of a longer word. */
  readonly isOpenBefore: boolean;
  /** The last may be the beginning of a longer word. */
  readonly isOpenBehind: boolean;
  /** As it was typed, in lower case: to show where it stands. */
  readonly typed: string;
}

/** As many words are looked for; whoever pastes a page gets an answer for its beginning. */
const MAX_TERMS = 32;
const MAX_QUERY = 2_000;

/** The terms of a query; all of them have to occur. */
export function parseQuery(query: string): readonly Term[] {
  const terms: Term[] = [];
  const pieces = query.slice(0, MAX_QUERY).split('"');
  pieces.forEach((piece, index) => {
    // Between the first and the second mark, the third and the fourth …; a last one without its partner is just a mark.
    const isQuoted = index % 2 === 1 && index < pieces.length - 1;
    const items = isQuoted ? [piece] : piece.split(BLANKS);
    for (const item of items) {
      const term = termOf(item, isQuoted);
      if (term && terms.length < MAX_TERMS) terms.push(term);
    }
  });
  return terms;
}

const BLANKS = /\s/u;

function termOf(item: string, isQuoted: boolean): Term | undefined {
  const segments = [...segmentsOf(item)];
  const last = segments.at(-1);
  if (!last) return undefined;
  const tokens = segments.flatMap((segment) => {
    if (!segment.isPaired) return [tokenOf(segment.text)];
    const pairs = pairsOf(segment.text);
    // The run may go on in the text: then its last character is not by itself there.
    return segment === last && pairs.length > 1 ? pairs.slice(0, -1) : pairs;
  });
  const isSingle = last.isPaired && pairsOf(last.text).length === 1;
  return {
    tokens,
    isOpenBefore: !isQuoted && !segments[0]?.isPaired,
    isOpenBehind: isSingle || (!isQuoted && !last.isPaired),
    typed: item.trim().toLowerCase(),
  };
}
