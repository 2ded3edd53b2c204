// The five panels of a session. The first three are the same rows, seen through different glasses.

import { findParts, type Row } from '@tailrace/client/timeline';
import type { Conversation } from '@tailrace/core';

export const PANELS = ['calls', 'reasoning', 'output', 'figures', 'session'] as const;

export type Panel = (typeof PANELS)[number];

export const PANEL_TITLES: Readonly<Record<Panel, string>> = {
  calls: 'Calls',
  reasoning: 'Reasoning',
  output: 'Output',
  figures: 'Figures',
  session: 'Session',
};

/** Panels that are a list of rows. */
export function isTimeline(panel: Panel): panel is 'calls' | 'reasoning' | 'output' {
  return panel !== 'figures' && panel !== 'session';
}

/** The rows that a panel has. */
export function rowsOf(rows: readonly Row[], panel: Panel): readonly Row[] {
  if (panel === 'calls')
    return rows.filter((row) => row.kind === 'thread' || 'toolCallId' in row.part || row.part.type === 'task');
  if (panel === 'reasoning') return rows.filter((row) => row.kind === 'part' && row.part.type === 'reasoning');
  return rows;
}

/** Those of the rows in which the words stand; all of them without words. */
export function rowsWith(rows: readonly Row[], words: string, conversation: Conversation): readonly Row[] {
  if (words.trim() === '') return rows;
  const found = new Set(findParts(conversation, words));
  return rows.filter((row) => row.kind === 'part' && found.has(row.part.id));
}
