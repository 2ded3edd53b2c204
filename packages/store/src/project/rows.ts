// What the tables hold of a session. Rows are made of events; a database gives them a place.

import type { LedgerEntry, Summary } from '@tailrace/core';
import type { TextKind } from '../contract.ts';

/** The line that is being told about. */
export interface Place {
  readonly position: number;
  readonly stream: string;
  readonly seq: number;
  readonly at: number;
  /** Whether `at` is when it happened: a file may be read long after. */
  readonly isLive: boolean;
}

/** Something that can be searched for. Its number is its own within the session. */
export interface TextRow {
  readonly number: number;
  readonly kind: TextKind;
  readonly text: string;
  readonly at: number | null;
  readonly arrivedAt: number;
  readonly position: number;
  readonly stream: string;
  readonly line: number;
  /** Its message, if it is a part of one. */
  readonly message: number | null;
  readonly messageId: string | null;
  readonly toolCallId: string | null;
}

export interface MessageRow {
  readonly number: number;
  id: string | null;
  readonly role: 'user' | 'agent';
  readonly subagentId: string | null;
  readonly model: string | null;
  at: number | null;
  /** Where it stands in the conversation: the agent's times, not the order of arrival. */
  order: number;
  readonly position: number;
}

export interface CallRow {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  title: string | null;
  outcome: string | null;
  readonly subagentId: string | null;
  readonly at: number | null;
  durationMs: number | null;
  readonly position: number;
}

export interface FileRow {
  readonly number: number;
  readonly path: string;
  readonly operation: string;
  readonly toolCallId: string | null;
  readonly at: number | null;
  readonly position: number;
}

export interface CheckpointRow {
  readonly id: string;
  readonly text: string;
  readonly at: number | null;
}

/** Events of many lines in a row: one JSON array `[position, events]` a line. */
export interface ChunkRow {
  readonly first: number;
  readonly last: number;
  readonly data: Uint8Array;
}

/** What has come since the last time: new rows, and rows that are other than they were. */
export interface RowChanges {
  readonly chunks: readonly ChunkRow[];
  readonly messages: readonly MessageRow[];
  readonly removedMessages: readonly number[];
  readonly texts: readonly TextRow[];
  readonly removedTexts: readonly number[];
  readonly calls: readonly CallRow[];
  readonly files: readonly FileRow[];
}

/** What a session is as a whole. */
export interface SessionHead {
  readonly summary: Summary;
  /** The folder it was run in, by the agent's word or else the host's. */
  readonly cwd: string | null;
  /** The agent's title, and the beginning of the first prompt. */
  readonly agentTitle: string | null;
  readonly firstPrompt: string | null;
  /** The beginning of the last thing that the agent said. */
  readonly lastText: string | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** Nothing of it is open: no stream has a writer. */
  readonly isEnded: boolean;
  readonly checkpoints: readonly CheckpointRow[];
  readonly entries: readonly LedgerEntry[];
}
