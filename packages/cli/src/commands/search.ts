import { parseArgs } from 'node:util';
import { redact } from '@tailrace/core';
import type { SearchHit, TextKind } from '@tailrace/store';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { parseCount, parseTime, parseWord } from '../history/filters.ts';
import { findSession } from '../history/find.ts';
import { tellEmpty, withHistory } from '../history/open.ts';
import { writeOut } from '../input/write.ts';
import { cleanText, createCleaner, fitLine } from '../printer/clean.ts';
import { reveal, showTurning, tellPlainly } from '../printer/hidden.ts';
import { createPalette, type Palette } from '../printer/palette.ts';
import { shortId } from '../printer/short-id.ts';
import { showWhen } from '../printer/when.ts';

const KINDS: readonly TextKind[] = ['prompt', 'answer', 'command', 'path', 'title'];

/** `tailrace search`: words in prompts, answers, commands and paths of everything that was kept. */
export const command: Command = async (words) => {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      session: { type: 'string' },
      kind: { type: 'string', multiple: true },
      since: { type: 'string' },
      until: { type: 'string' },
      limit: { type: 'string' },
      json: { type: 'boolean' },
      plain: { type: 'boolean' },
    },
  });
  const wanted = positionals.join(' ');
  if (wanted.trim() === '') throw new UsageError('what is to be found? tailrace search WORDS');
  const kinds = values.kind?.flatMap((kind) => parseWord('--kind', kind, KINDS) ?? []);
  const [since, until] = [parseTime('--since', values.since), parseTime('--until', values.until, true)];
  const limit = parseCount('--limit', values.limit) ?? 20;
  const hits = await withHistory(async (store) => {
    const sessionId = values.session === undefined ? undefined : await findSession(store, values.session);
    return store.history.search(wanted, { sessionId, kinds, since, until, limit });
  });
  if (values.json) await writeOut(`${JSON.stringify(hits ?? [])}\n`);
  else if (!hits) tellEmpty();
  else await writeOut(describe(hits, createPalette(values.plain ? false : undefined)));
  return 0;
};

function describe(hits: readonly SearchHit[], palette: Palette): string {
  if (hits.length === 0) return 'nothing was found\n';
  return hits
    .map((hit) => {
      const head = [tellPlainly(shortId(hit.sessionId)), showWhen(hit.at), hit.kind].filter(Boolean).join('  ');
      return `${palette.dim(head)}\n  ${mark(hit, palette)}\n`;
    })
    .join('');
}

/** What was looked for stands out. */
function mark({ kind, snippet, ranges }: SearchHit, palette: Palette): string {
  const isName = kind === 'command' || kind === 'path';
  const line = (text: string): string => fitLine(isName ? reveal(text) : showTurning(text), 400);
  // A secret is not shown, and then there is nothing in it to stand out.
  const { text, found } = redact(cleanText(snippet));
  if (found.length > 0) return line(text);
  // A sequence may begin before what was looked for and end in it.
  const { clean } = createCleaner();
  let shown = '';
  let end = 0;
  for (const [from, to] of ranges) {
    shown += line(clean(snippet.slice(end, from))) + palette.bold(line(clean(snippet.slice(from, to))));
    end = to;
  }
  return shown + line(clean(snippet.slice(end)));
}
