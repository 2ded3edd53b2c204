// What a client says on the socket: one JSON object in each message.

import type { EventType } from '@tailrace/core';
import { z } from 'zod';
import { type Command, command, id } from '../command.ts';
import { MAX_IDS, MIN_PROGRESS_INTERVAL_MS } from '../limits.ts';

/** What of a session is wanted. What is absent leaves everything in. */
export interface EventFilter {
  /** Kinds of events. */
  readonly kinds?: readonly EventType[] | undefined;
  /** Names of tools: of calls only theirs, other events all the same. */
  readonly tools?: readonly string[] | undefined;
  readonly agents?: readonly string[] | undefined;
  /** Ids of sub-agents, or none of them; the main thread is always in. */
  readonly subagents?: 'none' | readonly string[] | undefined;
  /** Ids of projects. */
  readonly projects?: readonly string[] | undefined;
}

/** Parts of the view `activity` that can be switched off; each is on unless it is `false`. */
export interface ActivitySwitches {
  readonly includeToolCalls?: boolean | undefined;
  readonly includeToolResults?: boolean | undefined;
  readonly includeOutput?: boolean | undefined;
  readonly includeFileChanges?: boolean | undefined;
  readonly includeProgress?: boolean | undefined;
  /** Off unless it is `true`. */
  readonly includeReasoning?: boolean | undefined;
}

export interface Subscribe extends ActivitySwitches {
  readonly type: 'subscribe';
  /** The client's own name for it; each frame carries it. The same again takes the place of the old one. */
  readonly subscriptionId: string;
  /** Everything, unless sessions or runs are named. */
  readonly sessions?: readonly string[] | undefined;
  readonly runs?: readonly string[] | undefined;
  /** Everything, the five light messages about the work, or sessions as they stand in a list, whenever one changes. */
  readonly view: 'events' | 'activity' | 'sessions';
  readonly filter?: EventFilter | undefined;
  /** Only what is behind this cursor. Absent: from the beginning where sessions or runs are named, else from now on. */
  readonly cursor?: string | undefined;
  readonly progressIntervalMs?: number | undefined;
}

export interface Unsubscribe {
  readonly type: 'unsubscribe';
  readonly subscriptionId: string;
}

export interface CommandMessage {
  readonly type: 'command';
  /** The key: the same one again is done once, and answered again. */
  readonly commandId: string;
  readonly command: Command;
}

export interface Pong {
  readonly type: 'pong';
}

export type ClientMessage = Subscribe | Unsubscribe | CommandMessage | Pong;

const ids = z.array(id).max(MAX_IDS);

export const eventFilter: z.ZodType<EventFilter> = z.strictObject({
  // A kind that is not known here is known to another version; it only matches nothing.
  kinds: z
    .array(id as z.ZodType<EventType>)
    .max(MAX_IDS)
    .optional(),
  tools: ids.optional(),
  agents: ids.optional(),
  subagents: z.union([z.literal('none'), ids]).optional(),
  projects: ids.optional(),
});

export const subscribe: z.ZodType<Subscribe> = z.strictObject({
  type: z.literal('subscribe'),
  subscriptionId: id,
  sessions: ids.optional(),
  runs: ids.optional(),
  view: z.enum(['events', 'activity', 'sessions']),
  filter: eventFilter.optional(),
  cursor: id.optional(),
  progressIntervalMs: z.number().int().min(MIN_PROGRESS_INTERVAL_MS).optional(),
  includeToolCalls: z.boolean().optional(),
  includeToolResults: z.boolean().optional(),
  includeOutput: z.boolean().optional(),
  includeFileChanges: z.boolean().optional(),
  includeProgress: z.boolean().optional(),
  includeReasoning: z.boolean().optional(),
});

export const clientMessage: z.ZodType<ClientMessage> = z.union([
  subscribe,
  z.strictObject({ type: z.literal('unsubscribe'), subscriptionId: id }),
  z.strictObject({ type: z.literal('command'), commandId: id, command }),
  z.strictObject({ type: z.literal('pong') }),
]);
