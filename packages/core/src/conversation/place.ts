// Where a part stands. A session may come from two sources at once, its stdout and its file on disk, in any interleaving, and
// must look the same. So the order is not the order of arrival:
//
// - What the agent timed is *anchored*: texts, thoughts, calls, errors and prompts stand at their own time.
// - Everything else stands in the gap after the last answer or result before it, in its own stream and thread (`event.after`):
//   first the end of a turn, then weather (notices, retries …), then what nobody sees, stream by stream, then blocks that still
//   stream. Stdout may not know the prompts, so prompts do not bound a gap; `select.ts` shows the weather of a gap after them.
// - Only what is alike in all that stands as it arrived.
//
// Where nobody says which gap it is, there is one stream only: then the gap is the one that is open, prompts bound it too, and
// all in it stands as it arrived, so that a turn in which nothing was said still ends after its prompt.
//
// An agent that tells no times has gaps only. There each block that is whole moves the thread's time on by a tiny step, which
// keeps the order of arrival.

import type { AgentStreamEvent, EventBase, EventOf } from '../event/event.ts';
import { type Conversation, type Part, type PartBase, type Thread, withParts } from './conversation.ts';
import { findEntry, insertEntry, lastEntry, type Order, replaceEntry } from './list.ts';

const ANCHORED = 0;
/** A prompt comes before the answer, also within one millisecond. */
const PROMPT = -1;
/** At the beginning of its gap, behind what the gap is named after. */
const CUT = 1;
const GAP = { arrived: 1, turn: 2, weather: 3, hidden: 4, streaming: 5 } as const;

/** Less than a millisecond, and exact beside any time until the year 2100. */
const STEP_MS = 1 / 1024;

/** The place of something in the gap that the event falls in. */
export function gapOrder(
  conversation: Conversation,
  event: EventBase,
  kind: Exclude<keyof typeof GAP, 'arrived'>,
): Order {
  const arrived = event.after === undefined && kind !== 'streaming';
  return [
    afterOf(conversation, event),
    arrived ? GAP.arrived : GAP[kind],
    !arrived && kind === 'hidden' ? numberOf(event.from) : 0,
    conversation.partCount,
  ];
}

/** The place of a prompt. Several of one millisecond stand in an order of their own where one stream may not have all of them. */
export function promptOrder(conversation: Conversation, event: EventOf<'user-message'>): Order {
  const time = timeOf(event);
  if (time === undefined) return gapOrder(conversation, event, 'weather');
  const isPlaced = event.after !== undefined && event.origin === 'injected';
  return [time, PROMPT, isPlaced ? 1 + numberOf(event.messageId) : 0, conversation.partCount];
}

/** The place of a compaction: before the summary that it made, whose time it has. */
export function boundaryOrder(conversation: Conversation, event: EventBase, known: Order | undefined): Order {
  const time = timeOf(event);
  if (time === undefined || event.after === undefined) return known ?? gapOrder(conversation, event, 'weather');
  return [time, PROMPT, 0, known?.[3] ?? conversation.partCount];
}

/**
 * Whether a part of a merged session has no more certain place than its gap: weather, and blocks without a time. It may stand
 * before prompts that it followed.
 */
export function isFloating({ order, time }: PartBase): boolean {
  const [, rank, second] = order;
  return rank >= GAP.weather || (rank === ANCHORED && second === CUT && time === undefined);
}

/** The place of something that has a time of its own, or of weather where it has none. */
export function timedOrder(conversation: Conversation, event: EventBase): Order {
  const time = timeOf(event);
  return time === undefined ? gapOrder(conversation, event, 'weather') : [time, ANCHORED, 0, conversation.partCount];
}

/** Whether a block or call has not yet found its place. */
export function isAdrift(order: Order): boolean {
  return order[1] === GAP.streaming;
}

/** A place, and the conversation that knows it is taken. */
export interface Placed {
  readonly conversation: Conversation;
  readonly order: Order;
}

/** The place of a block or call at the event's time. It keeps its number of arrival. */
export function anchoredOrder(time: number, order: Order, second = 0): Order {
  return [time, ANCHORED, second, order[3]];
}

/** The place of a block or call that is over, and of which nobody told the time. `isCut`: because it was cut. */
export function untimedOrder(conversation: Conversation, event: EventBase, order: Order, isCut: boolean): Placed {
  const { latest, isTimed } = threadOf(conversation, event.subagentId);
  const { after } = event;
  // Within several streams the gap is certain: it stands at its beginning, behind what the gap is named after.
  if (after !== undefined && after > 0)
    return { conversation, order: [afterOf(conversation, event), ANCHORED, CUT, order[3]] };
  // The first gap begins with the first prompt, so there it stays where it is. That an agent tells no times at all can be seen
  // by a block that is whole and has none.
  if (after === 0 && (isTimed || (isCut && latest === 0))) return { conversation, order };
  const next = latest + STEP_MS;
  return {
    conversation: putThread(conversation, event.subagentId, { latest: next }),
    order: [next, ANCHORED, 0, order[3]],
  };
}

/** A number for each name: which one comes first does not matter, only that it always does. */
function numberOf(name = ''): number {
  let number = 0;
  for (let at = 0; at < name.length; at++) number = (number * 31 + name.charCodeAt(at)) % 0x7fffffff;
  return number;
}

function afterOf(conversation: Conversation, event: EventBase): number {
  const thread = threadOf(conversation, event.subagentId);
  const after = Number.isFinite(event.after) ? event.after : undefined;
  return after === undefined || (after === 0 && !thread.isTimed) ? thread.latest : after;
}

// ── Threads ───────────────────────────────────────────────────────────────────────────────────────

/** What is remembered of a thread; a new one where it is not known. */
export function threadOf(conversation: Conversation, subagentId: string | undefined): Thread {
  if (subagentId === undefined) return conversation.main;
  const { threads } = conversation;
  return (
    findEntry(threads, subagentId) ?? {
      id: subagentId,
      order: [0, 0, 0, (lastEntry(threads)?.order[3] ?? 0) + 1],
      latest: 0,
      isTimed: false,
    }
  );
}

/** Changes what is remembered of a thread. */
export function putThread(
  conversation: Conversation,
  subagentId: string | undefined,
  facts: Partial<Thread>,
): Conversation {
  const thread = { ...threadOf(conversation, subagentId), ...facts };
  if (subagentId === undefined) return { ...conversation, main: thread };
  const { threads } = conversation;
  const known = findEntry(threads, subagentId);
  return { ...conversation, threads: known ? replaceEntry(threads, known, thread) : insertEntry(threads, thread) };
}

/** Takes note of the event's time. Not done for deltas: what they change should stay small. */
export function noteTime(conversation: Conversation, event: AgentStreamEvent): Conversation {
  const time = timeOf(event);
  if (time === undefined) return conversation;
  const { latest, isTimed } = threadOf(conversation, event.subagentId);
  if (isTimed && latest >= time) return conversation;
  return putThread(conversation, event.subagentId, { latest: Math.max(latest, time), isTimed: true });
}

// ── Parts ─────────────────────────────────────────────────────────────────────────────────────────

/** What every part takes from the event that made it. Not its time: of what stands in a gap, one source tells it and another not. */
export function baseOf(event: EventBase, id: string, order: Order): PartBase {
  return event.subagentId === undefined ? { id, order } : { id, order, subagentId: event.subagentId };
}

/** An id for what the agent gave none. No other part's id has this form: those begin with a word and a colon. */
export function madeUpId(conversation: Conversation, type: Part['type']): string {
  return `${type}#${conversation.partCount}`;
}

export function addPart(conversation: Conversation, part: Part): Conversation {
  return {
    ...conversation,
    parts: insertEntry(conversation.parts, part),
    partCount: conversation.partCount + 1,
  };
}

export function replacePart(conversation: Conversation, part: Part, next: Part): Conversation {
  return withParts(conversation, replaceEntry(conversation.parts, part, next));
}

/** The facts without those that nobody told. */
export function told<T extends object>(facts: T): Told<T> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(facts)) if (value !== undefined) kept[key] = value;
  // Only keys whose value may be undefined can be missing, and those are optional in the type.
  return kept as Told<T>;
}

type Told<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The event's own time. `1e400` is none: nothing could be sorted by it, and JSON has no word for it. */
export function timeOf({ time }: EventBase): number | undefined {
  return Number.isFinite(time) ? time : undefined;
}
