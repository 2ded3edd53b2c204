// Files → the bill's entries, session by session, each id once.

import type { UsageEntry } from '../contract.ts';
import { countOnce } from './count-once.ts';
import type { FileUsage } from './file-usage.ts';
import * as row from './file-usage.ts';

/** The entries of all files, each id once over all sessions. */
export async function foldFiles(files: readonly FileUsage[]): Promise<UsageEntry[]> {
  const sessions = new Map<string, FileUsage[]>();
  for (const file of files) {
    const id = file.sessionId ?? file.path;
    const own = sessions.get(id);
    if (own) own.push(file);
    else sessions.set(id, [file]);
  }
  // Most of the core is needed only for totals.
  const hasTotals = files.some(({ totals }) => totals.length > 0);
  const { foldTotals } = hasTotals ? await import('./fold-totals.ts') : { foldTotals: undefined };
  return countOnce(
    Array.from(sessions, ([id, own]) => {
      const project = own.find(({ cwd }) => cwd !== null)?.cwd ?? null;
      // Without a total every answer is what it says.
      if (!foldTotals || own.every(({ totals }) => totals.length === 0)) return answersOf(id, project, own);
      return foldTotals(id, project, own);
    }),
  );
}

function answersOf(sessionId: string, project: string | null, files: readonly FileUsage[]): UsageEntry[] {
  const entries: UsageEntry[] = [];
  for (const file of files) addAnswers(entries, file, sessionId, project);
  return entries;
}

function addAnswers(entries: UsageEntry[], file: FileUsage, sessionId: string, project: string | null): void {
  const { ids, numbers, models, subagents } = file;
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
      entries.push({
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
      });
    at += row.STRIDE;
  }
}
