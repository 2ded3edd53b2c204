// A session as it is followed: its conversation, and beside it every event with the line it came from, for whoever wants to see what
// the agent really said.

import type { Client, FeedMessage, Subscription } from '@tailrace/client';
import { type AgentStreamEvent, type Conversation, createConversation, type Part, reduce } from '@tailrace/core';
import type { CutString, Ended, EventMessage, Problem } from '@tailrace/protocol';

export interface SessionFeedView {
  readonly conversation: Conversation;
  /** Every event that came, the first first. It only grows, and it is the same list all the time: `eventCount` tells how long it was. */
  readonly events: readonly EventMessage[];
  readonly eventCount: number;
  /** Which event made a part, by the part's number of arrival. It grows as the events do. */
  readonly makers: readonly number[];
  /** Strings that did not travel whole, by the part that shows them. */
  readonly cuts: ReadonlyMap<string, readonly CutString[]>;
  /** Everything that was there is in it; what comes is new. */
  readonly isLive: boolean;
  readonly isGone: boolean;
  /** It turned out to be a part of this session. */
  readonly movedTo: string | null;
  readonly problem: Problem | null;
}

export interface SessionFeed {
  subscribe(listener: () => void): () => void;
  getSnapshot(): SessionFeedView;
}

const emptyFeed: SessionFeedView = {
  conversation: createConversation(),
  events: [],
  eventCount: 0,
  makers: [],
  cuts: new Map(),
  isLive: false,
  isGone: false,
  movedTo: null,
  problem: null,
};

/** Until all is there, and where a page that nobody sees has no frames, changes are shown after this time. */
const HIDDEN_FRAME_MS = 250;

/** Follows a session while somebody looks. Changes are shown once per frame of the screen. */
export function createSessionFeed(client: Client, sessionId: string): SessionFeed {
  const listeners = new Set<() => void>();
  let shown = emptyFeed;
  let conversation = emptyFeed.conversation;
  let events: EventMessage[] = [];
  let makers: number[] = [];
  let cuts: Map<string, readonly CutString[]> = new Map();
  /** What closes the session while nobody writes to it: it holds until it goes on. */
  let closing: readonly AgentStreamEvent[] = [];
  let state: Pick<SessionFeedView, 'isLive' | 'isGone' | 'movedTo' | 'problem'> = emptyFeed;
  let subscription: Subscription | undefined;
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function begin(): void {
    conversation = emptyFeed.conversation;
    events = [];
    makers = [];
    cuts = new Map();
    closing = [];
    const { isLive, isGone, movedTo, problem } = emptyFeed;
    state = { isLive, isGone, movedTo, problem };
  }

  function take(message: FeedMessage): void {
    switch (message.type) {
      case 'event':
        takeEvent(message);
        break;
      case 'ended':
        if (message.sessionId === sessionId) close(message);
        break;
      case 'live':
        state = { ...state, isLive: true, problem: null };
        break;
      case 'failed':
        state = { ...state, problem: message.problem };
        break;
      case 'gone':
        if (message.sessionId === sessionId) state = { ...state, isGone: true, movedTo: message.movedTo ?? null };
        break;
      case 'reset':
        if (message.sessionId === undefined) begin();
        // Nothing of it is sent again unless somebody asks.
        else if (message.sessionId === sessionId) listen();
        break;
    }
  }

  function takeEvent(message: EventMessage): void {
    const { partCount } = conversation;
    conversation = reduce(conversation, message.event);
    for (let made = partCount; made < conversation.partCount; made++) makers[made] = events.length;
    events.push(message);
    closing = [];
    if (message.cut) noteCut(message.event, message.cut);
  }

  function noteCut(event: AgentStreamEvent, cut: readonly CutString[]): void {
    const id = partIdOf(event);
    if (id === undefined) return;
    const known = cuts.get(id) ?? [];
    cuts = new Map(cuts).set(id, [...known, ...cut]);
  }

  function close({ events: last, left }: Ended): void {
    closing = last;
    const cursor = subscription?.cursor;
    if (left === undefined || cursor === undefined) return;
    const [before, count] = [subscription, events.length];
    client.http.events(sessionId, { after: cursor }).then(
      ({ ending, hasMore }) => {
        // It may have gone on meanwhile.
        if (hasMore || before !== subscription || count !== events.length) return;
        closing = ending;
        request();
      },
      // What did come closes most of it.
      () => undefined,
    );
  }

  function listen(): void {
    subscription?.close();
    begin();
    const own: Subscription = client.subscribe({ view: 'events', sessions: [sessionId] }, (messages) => {
      for (const message of messages) {
        // One of them may have begun another.
        if (own !== subscription) return;
        take(message);
      }
      request();
    });
    subscription = own;
  }

  function request(): void {
    if (frame !== undefined || (timer !== undefined && !state.isLive)) return;
    clearTimeout(timer);
    // While it is loaded there is only a number to see.
    if (state.isLive) frame = requestAnimationFrame(show);
    timer = setTimeout(show, HIDDEN_FRAME_MS);
  }

  function rest(): void {
    if (frame !== undefined) cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = undefined;
    timer = undefined;
  }

  function show(): void {
    rest();
    // What comes anew takes the place of what is shown when it is whole.
    if (shown.isLive && !state.isLive && !state.isGone && !state.problem) return;
    shown = {
      ...state,
      conversation: closing.reduce(reduce, conversation),
      events,
      eventCount: events.length,
      makers,
      cuts,
    };
    for (const listener of [...listeners]) listener();
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) listen();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        subscription?.close();
        subscription = undefined;
        rest();
      };
    },
    getSnapshot: () => shown,
  };
}

/** The part that shows an event, where an id tells it. */
export function partIdOf(event: AgentStreamEvent): string | undefined {
  if ('blockId' in event) return `block:${event.blockId}`;
  if ('toolCallId' in event && event.toolCallId !== undefined) return `call:${event.toolCallId}`;
  return undefined;
}

/** The event that a part came with. */
export function makerOf(
  { events, makers }: Pick<SessionFeedView, 'events' | 'makers'>,
  part: Part,
): EventMessage | undefined {
  const [, , , arrival] = part.order;
  return events[makers[arrival] ?? -1];
}
