// Whether the timeline follows what comes. It does while the reader is at its end and has not paused it; otherwise nothing moves
// under them, and what came meanwhile is counted.

export interface Follow {
  readonly isAtEnd: boolean;
  readonly isPaused: boolean;
  /** How many parts there are. */
  readonly count: number;
  /** How many there were when the reader last saw the end. */
  readonly seen: number;
}

export type FollowEvent =
  | { readonly type: 'scrolled'; readonly isAtEnd: boolean }
  | { readonly type: 'grew'; readonly count: number }
  /** What came before stands before what there was; nothing of it is new. */
  | { readonly type: 'loaded'; readonly count: number }
  | { readonly type: 'paused' }
  | { readonly type: 'resumed' }
  /** The reader goes to the end; a pause is over with that. */
  | { readonly type: 'went-to-end' };

export const followFromStart: Follow = { isAtEnd: true, isPaused: false, count: 0, seen: 0 };

export function follow(state: Follow, event: FollowEvent): Follow {
  const next = seeEnd(apply(state, event));
  return isSame(next, state) ? state : next;
}

export function isFollowing({ isAtEnd, isPaused }: Follow): boolean {
  return isAtEnd && !isPaused;
}

/** What has come and was not seen. */
export function newCount({ count, seen }: Follow): number {
  return Math.max(0, count - seen);
}

function apply(state: Follow, event: FollowEvent): Follow {
  switch (event.type) {
    case 'scrolled':
      return { ...state, isAtEnd: event.isAtEnd };
    case 'grew':
      // What was taken back was nothing new.
      return { ...state, count: event.count, seen: Math.min(state.seen, event.count) };
    case 'loaded':
      return { ...state, count: event.count, seen: Math.max(0, state.seen + event.count - state.count) };
    case 'paused':
      return { ...state, isPaused: true };
    case 'resumed':
      return { ...state, isPaused: false };
    case 'went-to-end':
      return { ...state, isPaused: false, isAtEnd: true };
  }
}

function seeEnd(state: Follow): Follow {
  return isFollowing(state) ? { ...state, seen: state.count } : state;
}

function isSame(a: Follow, b: Follow): boolean {
  return a.isAtEnd === b.isAtEnd && a.isPaused === b.isPaused && a.count === b.count && a.seen === b.seen;
}
