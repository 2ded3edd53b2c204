// A session as it is followed: its last events first, and all of it as soon as it is there.

import type { AgentStreamEvent } from '@tailrace/core';
import type { Ended, EventPage, Problem } from '@tailrace/protocol';
import type { Client } from '../client.ts';
import type { FeedMessage } from '../feed/message.ts';
import type { Subscription } from '../feed/subscriptions.ts';
import { createFolded, type FoldedView } from './folded.ts';

export interface SessionFeedView extends FoldedView {
  /** Everything that was there is in it; what comes is new. */
  readonly isLive: boolean;
  /** What is in it is only the session's end. */
  readonly isTail: boolean;
  /** How much of the session has come, also where it is not shown yet. */
  readonly loadedCount: number;
  readonly isGone: boolean;
  /** It turned out to be a part of this session. */
  readonly movedTo: string | null;
  readonly problem: Problem | null;
}

export interface SessionFeed {
  subscribe(listener: () => void): () => void;
  getSnapshot(): SessionFeedView;
}

type FeedState = Pick<SessionFeedView, 'isLive' | 'isGone' | 'movedTo' | 'problem'>;

const notLive: FeedState = { isLive: false, isGone: false, movedTo: null, problem: null };

/** More than a screen of events; few enough to be there at once, however long the session is. */
const TAIL_EVENTS = 400;

/** Until all is there, and where a page that nobody sees has no frames, changes are shown after this time. */
const HIDDEN_FRAME_MS = 250;
/** A terminal has no frames of its own; nobody reads more of them. */
const TERMINAL_FRAME_MS = 33;

/** Follows a session while somebody looks. Changes are shown once per frame of the screen. */
export function createSessionFeed(client: Client, sessionId: string): SessionFeed {
  const listeners = new Set<() => void>();
  let folded = createFolded();
  /** What closes the session while nobody writes to it: it holds until it goes on. */
  let closing: readonly AgentStreamEvent[] = [];
  let tail: FoldedView | undefined;
  let state = notLive;
  let shown: SessionFeedView = { ...state, ...folded.view(), isTail: false, loadedCount: 0 };
  let subscription: Subscription | undefined;
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function begin(): void {
    folded = createFolded();
    closing = [];
    tail = undefined;
    state = notLive;
  }

  function take(message: FeedMessage): void {
    switch (message.type) {
      case 'event':
        folded.take(message);
        closing = [];
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

  function close({ events: last, left }: Ended): void {
    closing = last;
    const cursor = subscription?.cursor;
    if (left === undefined || cursor === undefined) return;
    const [before, count] = [subscription, folded.eventCount];
    client.http.events(sessionId, { after: cursor }).then(
      ({ ending, hasMore }) => {
        // It may have gone on meanwhile.
        if (hasMore || before !== subscription || count !== folded.eventCount) return;
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
    if (!shown.isLive) askForTail(own);
  }

  function askForTail(own: Subscription): void {
    client.http.events(sessionId, { last: true, limit: TAIL_EVENTS }).then(
      (page) => {
        if (own !== subscription || state.isLive || page.items.length === 0) return;
        tail = foldPage(page);
        show();
      },
      // All of it is on its way; if that fails, too, it is said there.
      () => undefined,
    );
  }

  function request(): void {
    if (frame !== undefined || (timer !== undefined && !state.isLive)) return;
    clearTimeout(timer);
    const hasFrames = typeof globalThis.requestAnimationFrame === 'function';
    // While it is loaded there is only a number to see.
    if (state.isLive && hasFrames) frame = requestAnimationFrame(show);
    timer = setTimeout(show, state.isLive && !hasFrames ? TERMINAL_FRAME_MS : HIDDEN_FRAME_MS);
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
    if (state.isLive) tail = undefined;
    shown = {
      ...state,
      ...(tail ?? folded.view(closing)),
      isTail: tail !== undefined,
      loadedCount: folded.eventCount,
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

function foldPage({ items, ending }: EventPage): FoldedView {
  const folded = createFolded();
  for (const message of items) folded.take(message);
  return folded.view(ending);
}
