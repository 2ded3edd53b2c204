// Sessions over HTTP: the list, one of them, and what people say about it.

import type { Summary } from '@tailrace/core';
import { z } from 'zod';
import { MAX_IDS, MAX_LABEL_LENGTH } from '../limits.ts';
import { count, flag, limit, type Page, type PageQuery, pageOf, word } from './query.ts';
import { type SessionInfo, sessionInfo } from './session-info.ts';

export interface SessionQuery extends PageQuery {
  /** The id of a folder. */
  readonly project?: string | undefined;
  /** A part of its name. */
  readonly model?: string | undefined;
  readonly agent?: string | undefined;
  readonly status?: string | undefined;
  readonly tag?: string | undefined;
  readonly starred?: boolean | undefined;
  /** Epoch milliseconds; a session counts that was active in between. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

export const sessionQuery: z.ZodType<SessionQuery> = z.object({
  project: word.optional(),
  model: word.optional(),
  agent: word.optional(),
  status: word.optional(),
  tag: word.optional(),
  starred: flag.optional(),
  since: count.optional(),
  until: count.optional(),
  limit: limit.optional(),
  cursor: word.optional(),
});

/** Sessions, those that were last active first. */
export type SessionPage = Page<SessionInfo>;
export const sessionPage: z.ZodType<SessionPage> = pageOf(sessionInfo);

/** A session with what happened in it. */
export type SessionDetail = SessionInfo & { readonly summary: Summary };

export const sessionDetail: z.ZodType<SessionDetail> = z.intersection(
  sessionInfo,
  // The core says what is in a summary, and a newer one may have more.
  z.looseObject({ summary: z.looseObject({}) as unknown as z.ZodType<Summary> }),
);

/** What a person says about a session; what is absent stays as it is. */
export interface LabelChange {
  /** Null takes the name away. */
  readonly name?: string | null | undefined;
  readonly starred?: boolean | undefined;
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
}

const label = z.string().max(MAX_LABEL_LENGTH);

export const labelChange: z.ZodType<LabelChange> = z.strictObject({
  name: label.nullable().optional(),
  starred: z.boolean().optional(),
  addTags: z.array(label).max(MAX_IDS).optional(),
  removeTags: z.array(label).max(MAX_IDS).optional(),
});
