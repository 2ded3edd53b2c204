// The fields of events as a narrator takes them: without what it adds itself.

import type { EventDraft } from '../../event/draft.ts';
import type { EventType } from '../../event/event.ts';

/** The fields of one type of event without its type and without those of `K`. */
export type Fields<T extends EventType, K extends string = never> = Omit<
  Extract<EventDraft, { readonly type: T }>,
  'type' | 'synthetic' | K
>;

/** What the session is run with. */
export type SessionFacts = Fields<'session-start', 'agent'>;
