// What was used, from the agents' own files and from what is kept of those that are gone.

import type { UsageAnswer, UsageQuery } from '@tailrace/protocol';
import {
  createRescan,
  createUsageBook,
  createZone,
  isNamed,
  loadPrices,
  PRICE_TABLE,
  reportUsage,
  type Store,
  type UsageEntry,
  type Zone,
} from '@tailrace/store';
import type { Projects } from '../control/projects.ts';
import { ProblemError } from '../problem-error.ts';

export interface UsageSource {
  /** Folders with the agents' session files. */
  readonly dirs: readonly string[];
  /** Where what was found is kept for the next time, and prices. */
  readonly cache?: string | undefined;
  readonly priceFile?: string | undefined;
  /** Whose days they are, unless a question says so. */
  readonly timeZone?: string | undefined;
}

export interface UsageReports {
  answer(query: UsageQuery): Promise<UsageAnswer>;
}

const IDLE_MS = 300_000;

interface Gathered {
  readonly entries: readonly UsageEntry[];
  readonly models: ReadonlySet<string>;
  readonly unread: number;
}

export function createUsageReports(
  store: Store,
  projects: Pick<Projects, 'idOf'>,
  { dirs, cache, priceFile, timeZone }: UsageSource = { dirs: [] },
  clock: () => number = Date.now,
): UsageReports {
  const files = createRescan({ dirs, cache });
  const book = createUsageBook(store.history);
  let known: Omit<Gathered, 'unread'> = { entries: [], models: new Set() };
  let running: Promise<Gathered> | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;

  async function gather(): Promise<Gathered> {
    const { entries, unread } = await files.read();
    const all = await book.entries(entries);
    if (all !== known.entries) known = { entries: all, models: modelsOf(all) };
    return { ...known, unread };
  }

  /** However many ask at once, the files are looked at once. */
  function gatherOnce(): Promise<Gathered> {
    running ??= gather().finally(() => {
      running = undefined;
    });
    return running;
  }

  /** Many sessions take much memory: it is given back when nobody has asked for a while. */
  function forgetLater(): void {
    clearTimeout(idle);
    idle = setTimeout(() => {
      book.forget();
      files.forget();
      known = { entries: [], models: new Set() };
    }, IDLE_MS);
    idle.unref();
  }

  return {
    async answer({ by = 'day', since, until, project, model, timezone }) {
      const zone = zoneOf(timezone ?? timeZone);
      if (since !== undefined && until !== undefined && since > until)
        throw new ProblemError('bad-request', 'since is after until');
      const { entries, models, unread } = await gatherOnce();
      const chosen = project === undefined ? entries : entries.filter((entry) => idOf(entry) === project);
      const prices = await loadPrices(models, priceFile);
      const names = isNamed(by) ? await book.names(by) : undefined;
      forgetLater();
      const report = reportUsage(chosen, { by, zone, prices, now: clock(), since, until, model, names });
      const { source, date } = PRICE_TABLE;
      return { ...report, prices: { source, date }, unread };
    },
  };

  function idOf(entry: UsageEntry): string | undefined {
    return entry.project === null ? undefined : projects.idOf(entry.project);
  }
}

function modelsOf(entries: readonly UsageEntry[]): ReadonlySet<string> {
  const models = new Set<string>();
  for (const { model } of entries) if (model !== null) models.add(model);
  return models;
}

function zoneOf(name: string | undefined): Zone {
  try {
    return createZone(name);
  } catch (error) {
    throw new ProblemError('bad-request', 'timezone: there is none of that name', { cause: error });
  }
}
