// What `tailrace usage` can be asked for.

import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createZone, GROUPINGS, type Grouping, type Zone } from '@tailrace/store';
import { UsageError } from '../failure.ts';
import { readSettings } from '../history/config.ts';
import { parseNumber } from '../history/filters.ts';

export interface UsageOptions {
  readonly by: Grouping;
  readonly zone: Zone;
  /** Days in that zone, both included. */
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly dirs: readonly string[];
  readonly project: string | undefined;
  readonly model: string | undefined;
  readonly locale: string | undefined;
  readonly warnAt: number | undefined;
  readonly format: 'table' | 'json' | 'csv';
  readonly live: boolean;
  readonly plain: boolean;
  readonly cache: boolean;
}

/** Reads the words after `tailrace usage`. */
export function parseUsageOptions(words: readonly string[], now: number = Date.now()): UsageOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      by: { type: 'string' },
      since: { type: 'string' },
      until: { type: 'string' },
      dir: { type: 'string', multiple: true },
      project: { type: 'string' },
      model: { type: 'string' },
      timezone: { type: 'string' },
      locale: { type: 'string' },
      'warn-at': { type: 'string' },
      json: { type: 'boolean' },
      csv: { type: 'boolean' },
      live: { type: 'boolean' },
      plain: { type: 'boolean' },
      'no-cache': { type: 'boolean' },
    },
  });
  if (values.json && values.csv) throw new UsageError('--json or --csv, not both');
  if (values.live && (values.json || values.csv || values['warn-at'] !== undefined))
    throw new UsageError('--live is for eyes: not with --json, --csv or --warn-at');
  for (const dir of values.dir ?? [])
    if (!statSync(dir, { throwIfNoEntry: false })) throw new UsageError(`there is no folder and no file "${dir}"`);
  const zone = zoneOf(values.timezone ?? readSettings().timeZone);
  const since = dayOf('--since', values.since, zone, now);
  const until = dayOf('--until', values.until, zone, now);
  if (since !== undefined && until !== undefined && since > until) throw new UsageError('--since is after --until');
  return {
    by: groupingOf(values.by ?? 'day'),
    zone,
    since,
    until,
    dirs: values.dir ?? [],
    project: values.project,
    model: values.model,
    locale: localeOf(values.locale),
    warnAt: parseNumber('--warn-at', values['warn-at']),
    format: values.json ? 'json' : values.csv ? 'csv' : 'table',
    live: values.live ?? false,
    plain: values.plain ?? false,
    cache: !values['no-cache'],
  };
}

function groupingOf(text: string): Grouping {
  const found = GROUPINGS.find((grouping) => grouping === text);
  if (!found) throw new UsageError(`--by takes ${GROUPINGS.join(', ')}; not "${text}"`);
  return found;
}

function zoneOf(name: string | undefined): Zone {
  try {
    return createZone(name);
  } catch {
    throw new UsageError(`there is no time zone "${name}"; say it as Europe/Zurich or UTC`);
  }
}

function localeOf(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    return Intl.getCanonicalLocales(name)[0];
  } catch {
    throw new UsageError(`there is no locale "${name}"; say it as de-CH or en`);
  }
}

const DAY_MS = 86_400_000;

/** `2026-11-15`, `20261115`, `today`, `yesterday`, or `7d`, `2w` ago, as a day in that zone. */
function dayOf(name: string, text: string | undefined, zone: Zone, now: number): string | undefined {
  if (text === undefined) return undefined;
  const today = Date.parse(`${zone.dayOf(now)}T12:00:00.000Z`);
  const before = (days: number): string => new Date(today - days * DAY_MS).toISOString().slice(0, 10);
  if (text === 'today') return before(0);
  if (text === 'yesterday') return before(1);
  const [, count, unit] = /^(\d{1,5})([dw])$/.exec(text) ?? [];
  if (count !== undefined) return before(Number(count) * (unit === 'w' ? 7 : 1));
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text) ?? [];
  const whole = `${year}-${month}-${day}`;
  const time = Date.parse(`${whole}T00:00:00.000Z`);
  // The 31st of February is no day, though it parses in some places.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(whole))
    throw new UsageError(`${name} takes a day (2026-11-15, today, yesterday, 7d, 2w), not "${text}"`);
  return whole;
}
