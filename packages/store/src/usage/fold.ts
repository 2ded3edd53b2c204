// Files → the bill's entries, session by session, each id once.

import type { UsageEntry } from '../contract.ts';
import { countOnce } from './count-once.ts';
import type { FileUsage } from './file-usage.ts';
import * as row from './file-usage.ts';

interface FileSession {
  readonly id: string;
  readonly files: FileUsage[];
  /** Something in it has to be weighed against something else: a total, or an answer that another file tells as well. */
  isEntangled: boolean;
}

/**
 * The entries of all files, each id once over all sessions. Most are made when they are looked at, and each time: there are very
 * many, and whoever adds them up keeps none.
 */
export async function foldFiles(files: readonly FileUsage[]): Promise<Iterable<UsageEntry>> {
  const sessions = sessionsOf(files);
  // Most of the core is needed only for totals.
  const hasTotals = files.some(({ totals }) => totals.length > 0);
  const { foldTotals } = hasTotals ? await import('./fold-totals.ts') : { foldTotals: undefined };
  const entangled = countOnce(
    sessions
      .filter(({ isEntangled }) => isEntangled)
      .map((session) => {
        const hasTotal = session.files.some(({ totals }) => totals.length > 0);
        // Without a total every answer is what it says.
        return foldTotals && hasTotal
          ? foldTotals(session.id, projectOf(session), session.files)
          : [...answersOf(session)];
      }),
  );
  return {
    *[Symbol.iterator]() {
      for (const session of sessions) if (!session.isEntangled) yield* answersOf(session);
      yield* entangled;
    },
  };
}

function sessionsOf(files: readonly FileUsage[]): readonly FileSession[] {
  const sessions = new Map<string, FileSession>();
  const owners = new Map<string, FileSession>();
  for (const file of files) {
    const id = file.sessionId ?? file.path;
    const session = sessions.get(id) ?? { id, files: [], isEntangled: false };
    sessions.set(id, session);
    session.files.push(file);
    if (file.totals.length > 0) session.isEntangled = true;
    for (const answer of file.ids) {
      const owner = owners.get(answer);
      if (!owner) owners.set(answer, session);
      else owner.isEntangled = session.isEntangled = true;
    }
  }
  return [...sessions.values()];
}

function projectOf({ files }: FileSession): string | null {
  return files.find(({ cwd }) => cwd !== null)?.cwd ?? null;
}

function* answersOf(session: FileSession): Generator<UsageEntry> {
  const project = projectOf(session);
  const sessionId = session.id;
  for (const { ids, numbers, models, subagents } of session.files) {
    let time: number | null = null;
    let at = 0;
    for (const id of ids) {
      const own = numbers[at + row.TIME] ?? -1;
      const inputTokens = numbers[at + row.INPUT] ?? 0;
      const outputTokens = numbers[at + row.OUTPUT] ?? 0;
      const cost = numbers[at + row.COST] ?? -1;
      // One without a time comes after the one before it.
      if (own >= 0) time = own;
      if (inputTokens + outputTokens > 0)
        yield {
          id,
          sessionId,
          subagentId: subagents[numbers[at + row.SUBAGENT] ?? -1] ?? null,
          at: time,
          model: models[numbers[at + row.MODEL] ?? -1] ?? null,
          project,
          inputTokens,
          cacheReadTokens: numbers[at + row.READ] ?? 0,
          cacheWriteTokens: numbers[at + row.WRITE] ?? 0,
          cacheWrite1hTokens: numbers[at + row.HOUR] ?? 0,
          outputTokens,
          costUsd: cost < 0 ? null : cost,
          messages: 1,
        };
      at += row.STRIDE;
    }
  }
}
