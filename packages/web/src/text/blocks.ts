// A text in markdown, cut into its blocks. While it grows only the last block can still change, so the rest is neither read nor drawn
// again.

import { Lexer, type Token, type Tokens } from 'marked';

interface Block {
  readonly text: string;
  /** Set on what is too long, or too odd, to be read as markdown. */
  readonly isPlain?: true;
}

export interface BlockSplitter {
  /** The blocks of a text. Those that are the same as the last time are the same objects. */
  split(text: string): readonly Block[];
}

/** A longer block is shown as it is: reading it could take longer than anybody waits. */
const LONGEST_BLOCK = 50_000;
const LONGEST_TEXT = 500_000;
/** So is one with more signs that may mean something: each may have to be weighed against all others. */
const MOST_SIGNS = 3000;
/** Quotes in quotes in quotes: the reader of blocks takes long for them. */
const DEEP = /^(?:[ \t]{0,3}>){40}/m;

export function createBlockSplitter(): BlockSplitter {
  let known = '';
  let blocks: readonly Block[] = [];
  return {
    split(given) {
      const text = given.replaceAll('\r\n', '\n');
      if (text === known) return blocks;
      const [kept, rest] = text.startsWith(known) ? settled(blocks, text) : [[], text];
      known = text;
      blocks = [...kept, ...blocksOf(rest)];
      return blocks;
    },
  };
}

/** The last block may still grow into something else, and so may an empty line before it. */
function settled(blocks: readonly Block[], text: string): readonly [readonly Block[], string] {
  const kept = blocks.slice(0, -1);
  return [kept, text.slice(kept.reduce((length, block) => length + block.text.length, 0))];
}

/** Empty lines belong to the block before them, so that the blocks together are the text. */
function blocksOf(text: string): readonly Block[] {
  if (text === '') return [];
  if (text.length > LONGEST_TEXT || DEEP.test(text)) return [{ text, isPlain: true }];
  const blocks: { text: string; readonly isFence: boolean }[] = [];
  try {
    for (const token of new Lexer({ gfm: true }).blockTokens(text, [])) {
      const last = blocks.at(-1);
      if (token.type === 'space' && last) last.text += token.raw;
      else for (const part of partsOf(token)) blocks.push({ text: part, isFence: token.type === 'code' });
    }
  } catch {
    // Nested deeper than the reader can follow.
    return [{ text, isPlain: true }];
  }
  // Nothing may be lost, whatever the reader makes of it.
  if (blocks.map((block) => block.text).join('') !== text) return [{ text, isPlain: true }];
  return blocks.map((block) =>
    block.text.length > LONGEST_BLOCK || (!block.isFence && hasManySigns(block.text))
      ? { text: block.text, isPlain: true }
      : { text: block.text },
  );
}

/** A long list is cut between its entries: each piece is a list too. */
const LONG_LIST = 3000;

function partsOf(token: Token): readonly string[] {
  if (token.type !== 'list' || token.raw.length < 2 * LONG_LIST) return [token.raw];
  // What is lexed as a list has entries, each with what it was read from.
  const { items, ordered } = token as Tokens.List;
  const entries = items.map(({ raw }) => raw);
  if (ordered && !countsOn(entries)) return [token.raw];
  const parts: string[] = [];
  let part = '';
  for (const entry of entries) {
    part += entry;
    if (part.length < LONG_LIST) continue;
    parts.push(part);
    part = '';
  }
  // The line break at its end stands in no entry.
  parts.push(part + token.raw.slice(entries.join('').length));
  return parts.join('') === token.raw ? parts.filter((one) => one !== '') : [token.raw];
}

/** Where every entry is numbered `1.`, a piece of the list would begin anew. */
function countsOn([first = '', second = '']: readonly string[]): boolean {
  return Number.parseInt(first, 10) + 1 === Number.parseInt(second, 10);
}

function hasManySigns(text: string): boolean {
  if (text.length < MOST_SIGNS) return false;
  let signs = 0;
  for (const sign of text) if ('[]*_`!<>~&\\'.includes(sign) && ++signs > MOST_SIGNS) return true;
  return false;
}
