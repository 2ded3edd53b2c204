// Finds sessions by what people remember of them: parts of words, in any order, with a slip here and there.

import uFuzzy from '@leeoniya/ufuzzy';
import type { SessionInfo } from '@tailrace/protocol';
import { sessionName } from '../ui/session-name.ts';

/** Words of all scripts, and one slip in a word. */
const fuzzy = new uFuzzy({
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: '\\p{Ll}\\p{Lu}',
  intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: "[\\p{L}\\d']",
  intraContr: "'\\p{L}{1,2}\\b",
  intraMode: 1,
  intraIns: 1,
  intraSub: 1,
  intraTrn: 1,
  intraDel: 1,
});

/** More words say nothing more, and a longer one is looked for as it stands: patterns of it would take too long. */
const MOST_WORDS = 10;
const LONGEST_WORD = 24;
/** Shorter pieces stand in too many ids. */
const SHORTEST_OF_ID = 4;

/** Those that have each of the words, in the order they had. */
export function findSessions(sessions: readonly SessionInfo[], wanted: string): readonly SessionInfo[] {
  return findBy(sessions, textOf, wanted, nameOf);
}

/** The same for anything that has words, and perhaps an id, which is found as it stands. */
export function findBy<T>(
  things: readonly T[],
  wordsOf: (thing: T) => string,
  wanted: string,
  idOf?: (thing: T) => string,
): readonly T[] {
  const words = wanted.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return things;
  const texts = things.map(wordsOf);
  let left = texts.map((_, index) => index);
  const ids = idOf && things.map(idOf);
  for (const word of words.slice(0, MOST_WORDS)) left = withWord(texts, left, word, ids);
  return left.flatMap((index) => things[index] ?? []);
}

function withWord(texts: string[], among: number[], word: string, ids: readonly string[] | undefined): number[] {
  const alike = new Set(word.length > LONGEST_WORD ? [] : fuzzy.filter(texts, word, among));
  const small = word.toLowerCase();
  // Signs are no words, yet they may stand in a title.
  const stands = (text = ''): boolean => text.includes(word) || text.toLowerCase().includes(small);
  const isOfId = word.length >= SHORTEST_OF_ID;
  return among.filter((index) => alike.has(index) || stands(texts[index]) || (isOfId && stands(ids?.[index])));
}

function textOf({ title, project, agent, model, lastText }: SessionInfo): string {
  return [title, project, agent, model, lastText].filter((part) => part !== null).join(' · ');
}

/** What it is called without a title, and its whole id. */
function nameOf({ id, title }: SessionInfo): string {
  return `${sessionName(id, title)} ${id}`;
}
