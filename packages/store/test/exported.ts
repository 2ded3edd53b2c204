// Sessions to export in tests.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AgentStreamEvent, createDecoder, createSummary } from '@tailrace/core';
import type { ExportInput } from '../src/export/input.ts';

const fixtures = fileURLToPath(new URL('../../../fixtures/', import.meta.url));

/** A session of these events and lines. */
export function inputOf(
  events: readonly AgentStreamEvent[],
  lines: readonly Uint8Array[] = [],
  agent = 'claude',
): ExportInput {
  const fold = createSummary();
  for (const event of events) fold.add(event);
  const summary = fold.summary(lines.length);
  return {
    session: {
      id: summary.sessionId ?? 's',
      agent: summary.agent ?? agent,
      project: summary.cwd?.split('/').at(-1) ?? null,
      cwd: summary.cwd,
      title: 'A session',
      model: summary.model,
      status: summary.outcome,
      startedAt: 1_763_000_000_000,
      endedAt: null,
      turns: summary.turns,
      usage: summary.usage,
      costUsd: summary.costUsd,
      costState: summary.costState,
      starred: false,
      tags: [],
      lines: lines.length,
      lastText: summary.text,
      files: summary.filesChanged.length,
      subagents: summary.subagents.length,
      summary,
    },
    events: each([events.map((event) => ({ events: [event] }))]),
    lines: each([lines.map((bytes) => ({ stream: 'a', source: 'stdout' as const, at: 1_763_000_000_000, bytes }))]),
  };
}

async function* each<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items;
}

/** A session as it is read from these bytes. */
export function inputFrom(bytes: Uint8Array): ExportInput {
  const decoder = createDecoder();
  const events = [...decoder.feed(bytes), ...decoder.end()];
  return inputOf(events, linesIn(bytes));
}

export function linesIn(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start) + 1 || bytes.length;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}

/** The recordings of all agents: what they print, by the name of the file. */
export const recordings: readonly (readonly [name: string, bytes: Uint8Array])[] = filesUnder(fixtures)
  .filter((path) => path.endsWith('.ndjson'))
  .map((path) => [path.slice(fixtures.length), readFileSync(path)]);

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}

export async function textOf(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of pieces) text += typeof piece === 'string' ? piece : decoder.decode(piece);
  return text;
}
