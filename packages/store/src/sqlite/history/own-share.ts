// What a session has for its own, where it has something of another: a fork's file begins with the answers of the session that it
// was made from. They stay with that one, so that the sessions add up to the whole bill.

import type { Summary, Usage } from '@tailrace/core';
import type { UsageEntry } from '../../contract.ts';
import type { SessionHead } from '../../project/rows.ts';
import { countOnce } from '../../usage/count-once.ts';
import type { Connection } from '../connection.ts';
import type { Estimate } from './estimate.ts';
import { COLUMNS, type EntryRow, entryOf, toEntry } from './usage.ts';

/** The figures of a summary that are made of its part of the bill. */
type Share = Pick<Summary, 'usage' | 'mainUsage' | 'costUsd' | 'costState' | 'models'>;

export interface OwnShares {
  /** The summaries of these sessions as they are about to be written, and of others that change with them. By session. */
  settle(made: readonly HeadOfSession[]): Promise<ReadonlyMap<string, Summary>>;
}

interface HeadOfSession {
  readonly session: string;
  readonly head: SessionHead;
}

const NAMES = ['inputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'cacheWrite1hTokens', 'outputTokens'] as const;

/** Less is the noise of adding up. */
const NOTHING = 1e-10;

export function createOwnShares({ raw }: Connection, estimate: Estimate): OwnShares {
  const buildsOf = raw
    .prepare<[string], number>(
      'SELECT DISTINCT u.build FROM json_each(?) j CROSS JOIN usage_entries u ON u.id = j.value',
    )
    .pluck();
  const sessionOf = raw.prepare<[number], string>('SELECT id FROM sessions WHERE build = ?').pluck();
  const summaryOf = raw.prepare<[string], string>('SELECT summary FROM sessions WHERE id = ?').pluck();
  const entriesOf = raw.prepare<[number], EntryRow>(
    `SELECT ${COLUMNS} FROM usage_entries u JOIN sessions s ON s.build = u.build WHERE u.build = ? ORDER BY u.number`,
  );

  /** Large, so it is read only where it changes. */
  function read(id: string): Summary | undefined {
    const summary = summaryOf.get(id);
    // Written by the projector and by nothing else.
    return summary === undefined ? undefined : (JSON.parse(summary) as Summary);
  }

  /** These sessions and all that have something of them, and so on. */
  function gather(made: readonly HeadOfSession[]): ReadonlyMap<string, Kin> {
    const all = new Map<string, Kin>();
    for (const { session, head } of made)
      all.set(session, {
        summary: () => head.summary,
        entries: head.entries.map((one) => entryOf(one, head, session)),
      });
    const seen = new Set<number>();
    let fresh = [...all.values()];
    while (fresh.length > 0) {
      const ids = new Set(fresh.flatMap(({ entries }) => entries.map(({ id }) => id)));
      fresh = [];
      for (const build of buildsOf.all(JSON.stringify([...ids]))) {
        if (seen.has(build)) continue;
        seen.add(build);
        const id = sessionOf.get(build);
        if (id === undefined || all.has(id)) continue;
        const kin = { summary: () => read(id), entries: entriesOf.all(build).map(toEntry) };
        all.set(id, kin);
        fresh.push(kin);
      }
    }
    return all;
  }

  async function shareOf({ costUsd: told, costState, usage }: Summary, own: readonly UsageEntry[]): Promise<Share> {
    const models = new Map<string, { usage: Usage; costUsd: number | null }>();
    let costUsd = told === null ? null : 0;
    for (const entry of own) {
      const cost = entry.costUsd ?? (await estimate.ofEntry(entry)) ?? null;
      if (cost !== null) costUsd = (costUsd ?? 0) + cost;
      const name = entry.model ?? 'unknown';
      const before = models.get(name);
      models.set(name, {
        usage: addUp([before?.usage ?? {}, entry], usage),
        costUsd: cost === null ? (before?.costUsd ?? null) : (before?.costUsd ?? 0) + cost,
      });
    }
    const main = own.filter(({ subagentId, messages }) => subagentId === null && messages > 0);
    return {
      usage: { ...addUp(own, usage), state: usage.state },
      mainUsage: addUp(main, usage),
      costUsd,
      costState,
      models: Object.fromEntries(
        [...models].map(([name, { usage: part, costUsd: cost }]) => [name, { ...part, costUsd: cost }]),
      ),
    };
  }

  return {
    async settle(made) {
      const all = gather(made);
      const kin = kinOf(all);
      const shares = new Map<string, Summary>();
      if (kin.size === 0) return shares;
      const own = new Map<string, UsageEntry[]>([...kin].map((id) => [id, []]));
      for (const entry of countOnce([...all.values()].map(({ entries }) => entries)))
        own.get(entry.sessionId)?.push(entry);
      for (const [id, entries] of own) {
        const summary = all.get(id)?.summary();
        if (!summary) continue;
        const share = await shareOf(summary, entries);
        // What the agent told stands as it is where nothing has to be taken from it.
        if (!isSame(share, summary)) shares.set(id, { ...summary, ...share });
      }
      return shares;
    },
  };
}

interface Kin {
  readonly summary: () => Summary | undefined;
  readonly entries: readonly UsageEntry[];
}

/** Those of which another has something. */
function kinOf(sessions: ReadonlyMap<string, Kin>): ReadonlySet<string> {
  const first = new Map<string, string>();
  const kin = new Set<string>();
  for (const [session, { entries }] of sessions) {
    for (const { id } of entries) {
      const other = first.get(id) ?? session;
      first.set(id, other);
      if (other !== session) kin.add(other).add(session);
    }
  }
  return kin;
}

/** What nobody ever told stays untold. */
function addUp(parts: readonly Usage[], like: Usage): Usage {
  const sum: { -readonly [name in keyof Usage]: Usage[name] } = {};
  for (const name of NAMES) {
    const count = parts.reduce((total, part) => total + (part[name] ?? 0), 0);
    if (count > 0 || like[name] !== undefined) sum[name] = count;
  }
  return sum;
}

function isSame(share: Share, { usage, costUsd }: Summary): boolean {
  return (
    NAMES.every((name) => (share.usage[name] ?? 0) === (usage[name] ?? 0)) &&
    (share.costUsd === null) === (costUsd === null) &&
    Math.abs((share.costUsd ?? 0) - (costUsd ?? 0)) < NOTHING
  );
}
