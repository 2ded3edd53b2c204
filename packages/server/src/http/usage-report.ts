// What was used, from the agents' own files and from what is kept of those that are gone.

import type { UsageAnswer, UsageQuery } from '@tailrace/protocol';
import {
  createZone,
  joinUsage,
  loadPrices,
  PRICE_TABLE,
  reportUsage,
  type Store,
  scanUsage,
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

interface Gathered {
  readonly entries: readonly UsageEntry[];
  readonly unread: number;
}

export function createUsageReports(
  store: Store,
  projects: Pick<Projects, 'idOf'>,
  { dirs, cache, priceFile, timeZone }: UsageSource = { dirs: [] },
  clock: () => number = Date.now,
): UsageReports {
  let running: Promise<Gathered> | undefined;

  async function gather(): Promise<Gathered> {
    const scanned = dirs.length > 0 ? await scanUsage({ dirs, cache }) : undefined;
    const entries = joinUsage(scanned?.entries ?? [], await store.history.usage());
    return { entries, unread: scanned?.unread.length ?? 0 };
  }

  /** However many ask at once, the files are looked at once. */
  function gatherOnce(): Promise<Gathered> {
    running ??= gather().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    async answer({ by = 'day', since, until, project, model, timezone }) {
      const zone = zoneOf(timezone ?? timeZone);
      if (since !== undefined && until !== undefined && since > until)
        throw new ProblemError('bad-request', 'since is after until');
      const { entries, unread } = await gatherOnce();
      const chosen = project === undefined ? entries : entries.filter((entry) => idOf(entry) === project);
      const prices = await loadPrices(new Set(chosen.flatMap((entry) => entry.model ?? [])), priceFile);
      const report = reportUsage(chosen, { by, zone, prices, now: clock(), since, until, model });
      const { source, date } = PRICE_TABLE;
      return { ...report, prices: { source, date }, unread };
    },
  };

  function idOf(entry: UsageEntry): string | undefined {
    return entry.project === null ? undefined : projects.idOf(entry.project);
  }
}

function zoneOf(name: string | undefined): Zone {
  try {
    return createZone(name);
  } catch (error) {
    throw new ProblemError('bad-request', 'timezone: there is none of that name', { cause: error });
  }
}
