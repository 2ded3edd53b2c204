// What the translator of payloads remembers: the dialect's state, so that calls, tasks and todos come out as the stream tells
// them, and beside it what only payloads have.

import { asText, type Json, type Loose } from '../../../event/json.ts';
import type { EventWriter } from '../../agent.ts';
import {
  type Call,
  createState,
  keepRaw,
  type SessionFacts,
  type State,
  type Thread,
} from '../../dialects/claude/state.ts';
import { threadOf } from '../../dialects/claude/tasks.ts';
import { Ids } from '../../narrator/ids.ts';
import { speaker } from '../speaker.ts';
import type { HookPayload } from './wire.ts';

export interface Feed {
  readonly state: State;
  facts: SessionFacts;
  /** The prompt that the main thread answers. */
  promptId: string | undefined;
  /** Texts that are being written, by their message. */
  readonly texts: Map<string, ShownText>;
  readonly messageIds: Ids;
  /** The calls that ended last: a payload about one may come after the one that ends it. */
  ended: readonly Call[];
  /** Whether the main thread has shown a text in this turn. */
  hasShown: boolean;
}

/** A text of which the last lines have not come. */
export interface ShownText {
  readonly messageId: string;
  readonly blockId: string;
  readonly thread: Thread;
  text: string;
}

export function createFeed(out: EventWriter): Feed {
  return {
    state: createState(out, speaker, undefined),
    facts: {},
    promptId: undefined,
    texts: new Map(),
    messageIds: new Ids(),
    ended: [],
    hasShown: false,
  };
}

/** The thread that a payload comes from. A sub-agent that nobody announced is begun. */
export function threadOfPayload({ state }: Feed, payload: Loose<HookPayload>): Thread {
  return threadOf(state, { agent_id: payload.agent_id, subagent_type: asText(payload.agent_type) || undefined });
}

const REMEMBERED = 32;

export function rememberEnded(feed: Feed, call: Call): void {
  feed.ended = [...feed.ended.slice(1 - REMEMBERED), call];
}

/** A payload that has no event of its own, or that says what others have said: kept whole. */
export function keep({ state }: Feed, payload: Loose<HookPayload>): void {
  keepRaw(state, payload as Json, nameOf(payload) ?? 'hook');
}

export function nameOf(payload: Loose<HookPayload>): string | undefined {
  return asText(payload.hook_event_name);
}
