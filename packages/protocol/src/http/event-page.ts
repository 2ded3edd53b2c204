// Events of a session over HTTP, as they also come on the socket.

import type { AgentStreamEvent } from '@tailrace/core';
import { z } from 'zod';
import { type EventMessage, serverMessages } from '../socket/server-message.ts';
import { flag, limit, word } from './query.ts';

export interface EventQuery {
  /** Only what is behind this cursor; one of the socket will do. */
  readonly after?: string | undefined;
  /** A page ends where the events of a line end, so it may have some more. */
  readonly limit?: number | undefined;
  /** The last ones instead of the first: what a reader wants to see before all of it is there. Goes with no cursor. */
  readonly last?: boolean | undefined;
}

export const eventQuery: z.ZodType<EventQuery> = z
  .object({ after: word.optional(), limit: limit.optional(), last: flag.optional() })
  .refine(({ after, last }) => !(last === true && after !== undefined), 'last: goes with no cursor');

export interface EventPage {
  readonly items: readonly EventMessage[];
  /** Where to go on from, also when there is nothing more yet. */
  readonly next: string;
  readonly hasMore: boolean;
  /** On the last page, where nobody writes to the session: these close what is open in it, and hold until another event comes. */
  readonly ending: readonly AgentStreamEvent[];
}

export const eventPage: z.ZodType<EventPage> = z.object({
  items: z.array(serverMessages.event),
  next: z.string(),
  hasMore: z.boolean(),
  ending: z.array(z.looseObject({ type: z.string() }) as unknown as z.ZodType<AgentStreamEvent>),
});

/** What one line told, with nothing cut: what closes the session behind it is among it. As long as the line is. */
export interface WholeEvents {
  readonly items: readonly EventMessage[];
}

export const wholeEvents: z.ZodType<WholeEvents> = z.object({ items: z.array(serverMessages.event) });
