import { parseArgs } from 'node:util';
import { agents, showCost } from '@tailrace/core';
import type { SessionFilter, SessionRow, Store } from '@tailrace/store';
import type { Command } from '../command.ts';
import { parseCount, parseNumber, parseTime, parseWord } from '../history/filters.ts';
import { tellEmpty, withHistory } from '../history/open.ts';
import { type Column, showTable } from '../history/table.ts';
import { writeOut } from '../input/write.ts';
import { createPalette, type Palette } from '../printer/palette.ts';
import { screenWidth } from '../printer/screen.ts';
import { shortId } from '../printer/short-id.ts';
import { showTokens } from '../printer/tokens.ts';
import { showWhen } from '../printer/when.ts';

const STATUSES = ['running', 'success', 'error', 'cancelled', 'incomplete'] as const;

/** So many are listed unless more are asked for. */
const LISTED = 50;

/** `tailrace sessions`: what was kept, newest first. */
export const command: Command = async (words) => {
  const { values } = parseArgs({
    args: [...words],
    options: {
      project: { type: 'string' },
      model: { type: 'string' },
      agent: { type: 'string' },
      status: { type: 'string' },
      tag: { type: 'string' },
      starred: { type: 'boolean' },
      since: { type: 'string' },
      until: { type: 'string' },
      'min-cost': { type: 'string' },
      'max-cost': { type: 'string' },
      limit: { type: 'string' },
      all: { type: 'boolean' },
      json: { type: 'boolean' },
      plain: { type: 'boolean' },
    },
  });
  const filter: SessionFilter = {
    project: values.project,
    model: values.model,
    agent: parseWord('--agent', values.agent, [...agents.map(({ name }) => name), 'unknown']),
    status: parseWord('--status', values.status, STATUSES),
    tag: values.tag,
    starred: values.starred,
    since: parseTime('--since', values.since),
    until: parseTime('--until', values.until, true),
    minCostUsd: parseNumber('--min-cost', values['min-cost']),
    maxCostUsd: parseNumber('--max-cost', values['max-cost']),
    limit: parseCount('--limit', values.limit),
  };
  // A program gets what it asks for; a person gets a page.
  const limit = filter.limit ?? (values.json || values.all ? undefined : LISTED + 1);
  const rows = await withHistory((store: Store) => store.history.sessions({ ...filter, limit }));
  if (values.json) {
    await writeOut(`${JSON.stringify(rows ?? [])}\n`);
    return 0;
  }
  if (!rows) tellEmpty();
  else
    await writeOut(
      describe(
        rows,
        filter.limit ?? (values.all ? rows.length : LISTED),
        createPalette(values.plain ? false : undefined),
      ),
    );
  return 0;
};

function describe(rows: readonly SessionRow[], limit: number, palette: Palette): string {
  if (rows.length === 0) return 'no session is like that\n';
  const shown = rows.slice(0, limit);
  // Ids that have to stay whole take their room from the rest.
  const longer = Math.max(...shown.map(({ id }) => shortId(id).length)) - 8;
  const more =
    rows.length > limit ? palette.dim('… and more: --all, or --since and --project to narrow it down\n') : '';
  return showTable(shown, columnsFor(screenWidth() - longer), palette, screenWidth()) + more;
}

/** What a narrow screen can do without comes last here. */
const LEFT_OUT: readonly (readonly [string, number])[] = [
  ['tokens', 100],
  ['agent', 80],
  ['status', 66],
  ['project', 56],
  ['when', 44],
];

function columnsFor(width: number): readonly Column<SessionRow>[] {
  const gone = new Set(LEFT_OUT.filter(([, least]) => width < least).map(([title]) => title));
  return COLUMNS.filter(({ title }) => !gone.has(title));
}

const COLUMNS: readonly Column<SessionRow>[] = [
  { title: 'id', text: ({ id }) => shortId(id) },
  { title: 'when', text: ({ startedAt }) => showWhen(startedAt) },
  { title: 'agent', text: ({ agent }) => agent },
  { title: 'project', text: ({ project }) => project ?? '' },
  {
    title: 'title',
    gives: true,
    isProse: true,
    text: ({ title, starred, tags }) =>
      [starred ? '★' : '', title ?? '', ...tags.map((tag) => `#${tag}`)].filter(Boolean).join(' '),
  },
  { title: 'status', text: ({ status }) => status },
  { title: 'tokens', text: ({ usage }) => showTokens(usage) },
  { title: 'cost', align: 'right', text: ({ costUsd, costState }) => showCost(costUsd, costState) },
];
