// Finding words. Every word has to occur: by itself, as the beginning of a word, or (three characters or more) in the middle of one.

import type { SearchHit, SearchOptions, TextKind } from '../../contract.ts';
import { parseQuery, type Term } from '../../project/query.ts';
import { snippetOf } from '../../project/snippet.ts';
import type { Connection } from '../connection.ts';
import { firstIdOf } from './text-index.ts';

const DEFAULT_LIMIT = 20;
/** With a word that is found more often than this nothing is ranked: the newest come first. */
export const RANKED_HITS = 20_000;
/** A part of a word stands for so many words; the shortest are taken. */
const MAX_WORDS = 32;
const LOOKED_AT_WORDS = 400;
const SHORTEST_PART = 3;

interface Found {
  readonly id: number;
  readonly score: number;
}

interface TextRow {
  readonly id: number;
  readonly session_id: string;
  readonly title: string | null;
  readonly project: string | null;
  readonly kind: TextKind;
  readonly at: number | null;
  readonly position: number;
  readonly stream: string | null;
  readonly line: number;
  readonly message_id: string | null;
  readonly tool_call_id: string | null;
  readonly text: string;
}

/** The places where all words occur, the best first. */
export function searchTexts(connection: Connection, words: string, options: SearchOptions): readonly SearchHit[] {
  const { raw } = connection;
  const terms = parseQuery(words);
  const limit = Math.min(Math.max(Math.floor(options.limit ?? DEFAULT_LIMIT), 0), RANKED_HITS);
  if (terms.length === 0 || limit === 0) return [];
  const marks = marksOf(connection, options);
  if (!marks) return [];
  const expressions = terms.map((term) => expressionOf(connection, term));
  const range = {
    from: options.since === undefined ? 0 : firstIdOf(options.since),
    // Up to the end of the second; what is too late in it is left out below.
    to: options.until === undefined ? Number.MAX_SAFE_INTEGER : firstIdOf(options.until + 1000) - 1,
  };
  // Rows of a session that is being made anew may be among them, and are not shown.
  const wanted = 2 * limit + 50;
  const hits: SearchHit[] = [];
  const scores = new Map(find(raw, expressions, marks, range, wanted).map(({ id, score }) => [id, score]));
  const rows = new Map(readTexts(raw, [...scores.keys()]).map((row) => [row.id, row]));
  for (const [id, score] of scores) {
    const row = rows.get(id);
    if (!row || !isWithin(row.at, options)) continue;
    hits.push(toHit(row, score, terms));
    if (hits.length >= limit) break;
  }
  return hits;
}

type Raw = Connection['raw'];

interface Range {
  readonly from: number;
  readonly to: number;
}

/** A word as it can be searched for: by itself, and with all that it may be a part of. */
interface Expression {
  readonly whole: string;
  readonly any: string;
}

function find(
  raw: Raw,
  expressions: readonly Expression[],
  marks: readonly string[],
  range: Range,
  limit: number,
): readonly Found[] {
  const common = new Set(expressions.filter(({ whole }) => isCommon(raw, whole)));
  const matchOf = (texts: readonly string[]): string => [...texts, ...marks].join(' AND ');
  const all = matchOf(expressions.map(({ any }) => any));
  if (common.size === 0) return findIn(raw, all, range, limit, !expressions.some(({ any }) => isCommon(raw, any)));
  // What a common word is a part of matters only where it is not enough by itself: finding all of that takes ten times as long.
  const short = matchOf(expressions.map((one) => (common.has(one) ? one.whole : one.any)));
  const found = findIn(raw, short, range, limit, false);
  return found.length < limit ? findIn(raw, all, range, limit, false) : found;
}

function findIn(raw: Raw, match: string, range: Range, limit: number, isRanked: boolean): readonly Found[] {
  // Not `ORDER BY rank`: that would look at all hits of all times first.
  const [score, order] = isRanked ? ['-bm25(search, 1.0, 0.5, 0.0)', 'score DESC, rowid DESC'] : ['0', 'rowid DESC'];
  return raw
    .prepare<[Range & { readonly match: string }], Found>(
      `SELECT rowid AS id, ${score} AS score FROM search
       WHERE search MATCH :match AND rowid BETWEEN :from AND :to ORDER BY ${order} LIMIT ${limit}`,
    )
    .all({ ...range, match });
}

/** To rank by a word, all its places have to be looked at. */
function isCommon(raw: Raw, expression: string): boolean {
  const count = raw
    .prepare<[string], number>(
      `SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ${RANKED_HITS + 1})`,
    )
    .pluck()
    .get(expression);
  return (count ?? 0) > RANKED_HITS;
}

function readTexts(raw: Raw, ids: readonly number[]): readonly TextRow[] {
  return raw
    .prepare<[string], TextRow>(
      `SELECT t.id, s.id AS session_id, coalesce(l.name, s.agent_title, s.first_prompt) AS title, s.project, t.kind, t.at, t.position, n.name AS stream, t.line, t.message_id,
         t.tool_call_id, t.text
       FROM json_each(?) j CROSS JOIN texts t ON t.id = j.value JOIN sessions s ON s.build = t.build
       LEFT JOIN streams n ON n.id = t.stream LEFT JOIN labels l ON l.session_id = s.id`,
    )
    .all(JSON.stringify(ids));
}

/** Which kinds, and which session. Nothing when there is no such session. */
function marksOf({ raw }: Connection, { sessionId, kinds }: SearchOptions): readonly string[] | undefined {
  const marks: string[] = [];
  if (kinds !== undefined) {
    if (kinds.length === 0) return undefined;
    marks.push(`marks : (${kinds.map((kind) => quote(`k${kind}`)).join(' OR ')})`);
  }
  if (sessionId !== undefined) {
    const build = raw.prepare<[string], number>('SELECT build FROM sessions WHERE id = ?').pluck().get(sessionId);
    if (build === undefined) return undefined;
    marks.push(`marks : ${quote(`b${build}`)}`);
  }
  return marks;
}

/** Tokens are letters and digits: inside quotation marks they are never taken for anything else. */
function quote(token: string): string {
  return `"${token}"`;
}

function expressionOf(connection: Connection, { tokens, isOpenBefore, isOpenBehind }: Term): Expression {
  const [first = '', ...rest] = tokens;
  const end = isOpenBehind ? ' *' : '';
  const phrase = (word: string): string => `${quote([word, ...rest].join(' '))}${end}`;
  if (rest.length > 0) {
    const before = isOpenBefore ? wordsWith(connection, first).filter((word) => word.endsWith(first)) : [];
    return {
      whole: `words : ${quote(tokens.join(' '))}`,
      any: `words : (${[first, ...before.slice(0, MAX_WORDS)].map(phrase).join(' OR ')})`,
    };
  }
  // Those that begin with it are found by the index itself.
  const parts = isOpenBefore ? wordsWith(connection, first).filter((word) => !word.startsWith(first)) : [];
  // Once more as it is: the whole word is a better match than a part of another, however rare that is.
  const whole = isOpenBehind ? [quote(first)] : [];
  return {
    whole: `{words pieces} : ${quote(first)}`,
    any: `{words pieces} : (${[...whole, phrase(first), ...parts.slice(0, MAX_WORDS).map(quote)].join(' OR ')})`,
  };
}

/** Words that have this in them, the shortest first. */
function wordsWith({ raw }: Connection, part: string): readonly string[] {
  if ([...part].length < SHORTEST_PART) return [];
  return raw
    .prepare<[string], string>(
      `SELECT t.term FROM term_parts p JOIN terms t ON t.id = p.rowid WHERE term_parts MATCH ? LIMIT ${LOOKED_AT_WORDS}`,
    )
    .pluck()
    .all(quote(part))
    .sort((a, b) => a.length - b.length);
}

function isWithin(at: number | null, { since, until }: SearchOptions): boolean {
  if (at === null) return true;
  return (since === undefined || at >= since) && (until === undefined || at < until);
}

function toHit(row: TextRow, score: number, terms: readonly Term[]): SearchHit {
  return {
    sessionId: row.session_id,
    title: row.title,
    project: row.project,
    kind: row.kind,
    ...snippetOf(row.text, terms),
    score,
    at: row.at,
    position: row.position,
    stream: row.stream ?? '',
    line: row.line,
    messageId: row.message_id,
    toolCallId: row.tool_call_id,
  };
}
