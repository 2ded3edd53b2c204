// Trees of session files for the tests: the recorded ones as they lay on the disk, and made-up ones. And the slow way to count them.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDecoder, createSession } from '@tailrace/core';
import type { UsageEntry } from '../../src/contract.ts';
import { countOnce } from '../../src/usage/count-once.ts';
import { findFiles } from '../../src/usage/files.ts';

const recordings = fileURLToPath(new URL('../../../../fixtures/claude/2.1.325/', import.meta.url));

export interface RecordedTree {
  readonly name: string;
  /** The files by their path below the folder of projects. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly expected: {
    readonly tokens_served_total: Readonly<Record<string, number>>;
    readonly total_cost_usd?: number | null;
    readonly incomplete_calls?: readonly { readonly usage_in_message_start: Readonly<Record<string, number>> }[];
  };
}

/** The recorded runs of which session files were kept. */
export const recordedTrees: readonly RecordedTree[] = readdirSync(recordings)
  .filter((file) => file.endsWith('.meta.json'))
  .flatMap((file) => {
    const { expected, transcripts = [] } = JSON.parse(readFileSync(recordings + file, 'utf8'));
    const kept = transcripts.filter((one: { file: string }) => existsSync(recordings + one.file));
    const files = new Map<string, Buffer>(
      kept.map((one: { file: string; original_path: string }) => [
        one.original_path.replace('~/.claude/projects/', ''),
        readFileSync(recordings + one.file),
      ]),
    );
    return files.size === 0 ? [] : [{ name: file.slice(0, -'.meta.json'.length), files, expected }];
  });

/** Runs something with a folder that holds these files, and takes it away. */
export async function withTree<T>(
  files: ReadonlyMap<string, string | Uint8Array>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-usage-'));
  try {
    for (const [path, content] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same as a scan, the slow way: every line is decoded, and the streams of a session are folded. */
export function countSlowly(folder: string): UsageEntry[] {
  const sessions = new Map<string, string[]>();
  for (const { path } of findFiles(folder).files) {
    const id = sessionIdIn(path);
    sessions.set(id, [...(sessions.get(id) ?? []), path]);
  }
  return countOnce([...sessions].map(([id, paths]) => entriesOfSession(id, paths.sort())));
}

function entriesOfSession(sessionId: string, paths: readonly string[]): UsageEntry[] {
  const session = createSession();
  let cwd: string | null = null;
  for (const path of paths) {
    const aboutFile = path.replace(/\.jsonl$/, '.meta.json');
    const about = existsSync(aboutFile) ? JSON.parse(readFileSync(aboutFile, 'utf8')) : undefined;
    const decoder = createDecoder({ agent: 'claude', about });
    for (const event of [...decoder.feed(readFileSync(path), { source: 'transcript' }), ...decoder.end()]) {
      if (event.type === 'session-start' || event.type === 'session-update') cwd ??= event.cwd ?? null;
      session.add({ id: path, source: 'transcript' }, event);
    }
  }
  return session.ledger.entries().map(({ id, time, model, usage, costUsd, isRest }) => ({
    id,
    sessionId,
    subagentId: null,
    at: time ?? null,
    model: model ?? null,
    project: cwd,
    inputTokens: usage.inputTokens ?? 0,
    cacheReadTokens: usage.cacheReadTokens ?? 0,
    cacheWriteTokens: usage.cacheWriteTokens ?? 0,
    cacheWrite1hTokens: usage.cacheWrite1hTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
    costUsd: costUsd ?? null,
    messages: isRest ? 0 : 1,
  }));
}

/** The session that the first line with an id names. */
function sessionIdIn(path: string): string {
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    try {
      const { sessionId } = JSON.parse(line);
      if (typeof sessionId === 'string') return sessionId;
    } catch {
      // Not a whole line.
    }
  }
  return path;
}

/** What can be compared of entries: in order of their ids, costs without the noise of floating point, whoever's they are. */
export function comparable(entries: Iterable<UsageEntry>): unknown[] {
  return [...entries]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ subagentId: _, costUsd, ...rest }) => ({
      ...rest,
      costUsd: costUsd === null ? null : Number(costUsd.toFixed(9)),
    }));
}
