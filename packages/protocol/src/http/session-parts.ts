// What is in a session, as lists: what was said, called, changed and planned, and where it can be taken back to.

import type { TodoEntry } from '@tailrace/core';
import { z } from 'zod';
import { type Page, pageOf } from './query.ts';

export interface MessageInfo {
  readonly id: string | null;
  readonly role: 'user' | 'agent';
  readonly subagentId: string | null;
  readonly model: string | null;
  readonly at: number | null;
  readonly text: string;
  /** The line that told it, counted over all streams. */
  readonly position: number;
}

export interface CallInfo {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly title: string | null;
  readonly outcome: string | null;
  readonly subagentId: string | null;
  readonly at: number | null;
  readonly durationMs: number | null;
  readonly position: number;
}

export interface FileInfo {
  readonly path: string;
  readonly operation: string;
  readonly toolCallId: string | null;
  readonly at: number | null;
  readonly position: number;
}

/** A prompt that the session can be taken back to. */
export interface CheckpointInfo {
  readonly id: string;
  readonly sessionId: string;
  readonly text: string;
  readonly at: number | null;
}

const text = z.string();
const maybeText = text.nullable();
const maybeNumber = z.number().nullable();
const position = z.number().nonnegative();

export const messagePage: z.ZodType<Page<MessageInfo>> = pageOf(
  z.object({
    id: maybeText,
    role: z.enum(['user', 'agent']),
    subagentId: maybeText,
    model: maybeText,
    at: maybeNumber,
    text,
    position,
  }),
);

export const callPage: z.ZodType<Page<CallInfo>> = pageOf(
  z.object({
    id: text,
    name: text,
    kind: text,
    title: maybeText,
    outcome: maybeText,
    subagentId: maybeText,
    at: maybeNumber,
    durationMs: maybeNumber,
    position,
  }),
);

export const filePage: z.ZodType<Page<FileInfo>> = pageOf(
  z.object({ path: text, operation: text, toolCallId: maybeText, at: maybeNumber, position }),
);

export const todoPage: z.ZodType<Page<TodoEntry>> = pageOf(z.looseObject({}) as unknown as z.ZodType<TodoEntry>);

export const checkpointPage: z.ZodType<Page<CheckpointInfo>> = pageOf(
  z.object({ id: text, sessionId: text, text, at: maybeNumber }),
);
