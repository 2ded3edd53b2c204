// Text → what the search index holds of it. Words are runs of letters and digits; an identifier is one word and its pieces;
// scripts that put no blanks between words are cut into overlapping pairs, so that any two characters in a row are found.

/** A text as the index takes it. Words stand in their order, so that phrases can be found; pieces only have to be there. */
export interface Tokens {
  readonly words: readonly string[];
  readonly pieces: readonly string[];
}

/** As long as a token gets; a longer word is found by its beginning. */
export const MAX_TOKEN = 64;

const RUNS = /[\p{L}\p{N}\p{M}]+/gu;
const PLAIN = /^[A-Za-z0-9]+$/;
const PAIRED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** `HTTPServer2` → HTTP, Server, 2. */
const PIECES = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}\p{N}]+|\p{N}+/gu;

/** What the index holds of a text. */
export function tokensOf(text: string): Tokens {
  const words: string[] = [];
  const pieces: string[] = [];
  for (const segment of segmentsOf(text)) {
    if (segment.isPaired) words.push(...pairsOf(segment.text));
    else {
      words.push(tokenOf(segment.text));
      pieces.push(...piecesOf(segment.text));
    }
  }
  return { words, pieces };
}

/** A run of one kind: a word, or text of a script without blanks. */
export interface Segment {
  readonly text: string;
  readonly isPaired: boolean;
}

/** The runs of a text in their order, in one form for all ways to write the same character. */
export function* segmentsOf(text: string): Generator<Segment, void> {
  for (const [run] of text.matchAll(RUNS)) {
    if (PLAIN.test(run)) {
      yield { text: run, isPaired: false };
      continue;
    }
    // One character may stand for several, with something between them: ½ is 1⁄2.
    for (const [part] of run.normalize('NFKC').matchAll(RUNS)) yield* scriptsOf(part);
  }
}

/** Pairs of characters, and the last one by itself: so a single character is the beginning of some token. */
export function pairsOf(run: string): string[] {
  const characters = [...run.toLowerCase()];
  return characters.map((character, index) => character + (characters[index + 1] ?? ''));
}

/** A word as it is looked up. */
export function tokenOf(word: string): string {
  const lower = word.toLowerCase();
  // Lower case may have a mark of its own that is no part of words (İ): then the word is what it was.
  return lower.length <= MAX_TOKEN ? lower : [...lower.slice(0, MAX_TOKEN + 1)].slice(0, MAX_TOKEN).join('');
}

function* scriptsOf(run: string): Generator<Segment, void> {
  let text = '';
  let isPaired = false;
  for (const character of run) {
    // A mark belongs to the character before it.
    const isOther = PAIRED.test(character) !== isPaired && !(text !== '' && MARK.test(character));
    if (isOther && text !== '') {
      yield { text, isPaired };
      text = '';
    }
    if (isOther) isPaired = !isPaired;
    text += character;
  }
  if (text !== '') yield { text, isPaired };
}

const MARK = /\p{M}/u;

function piecesOf(word: string): string[] {
  const pieces = word.match(PIECES) ?? [];
  return pieces.length > 1 ? pieces.map(tokenOf) : [];
}
