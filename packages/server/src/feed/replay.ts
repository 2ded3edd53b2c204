// What was told before somebody came: read part by part, as fast as the client reads. Pieces of what is also sent whole are left out.

import type { AgentStreamEvent } from '@tailrace/core';
import type { Store, Tidings, Told } from '@tailrace/store';
import { createWholes } from './deltas.ts';
import { MAX_MESSAGES_BYTES, packFrames } from './frames.ts';
import { REPLAY_QUEUED_BYTES } from './limits.ts';
import type { Listener } from './listener.ts';
import { resetText, toldLines } from './told-lines.ts';
import { inTurn, isAwaited } from './turns.ts';
import type { View } from './view.ts';

export interface Replay {
  /** Says what comes next; where everything up to the end is said, or why not. */
  next(): Promise<'more' | 'end' | 'anew' | 'epoch'>;
  readonly place: number;
}

export interface ReplayOptions {
  readonly history: Store['history'];
  readonly listener: Listener;
  readonly view: View;
  readonly epoch: string;
  readonly after: number;
  /** What is no longer so since before this was never said. */
  readonly fresh: number;
  /** It goes on behind a cursor: the first line may have been sent in part, and is sent again as it was. */
  readonly isResumed: boolean;
}

/** Whether a line may need more than one frame: after a break it is sent again, and has to be the same then. */
function mayBeCut(events: readonly AgentStreamEvent[]): boolean {
  return events.length > 1 && JSON.stringify(events).length * LONGEST_UNIT > MAX_MESSAGES_BYTES / 2;
}

/** A unit of UTF-16 is at most three bytes of UTF-8. */
const LONGEST_UNIT = 3;

export function createReplay({ history, listener, view, epoch, after, fresh, isResumed }: ReplayOptions): Replay {
  const { subscriptionId, outlet, wanted } = listener;
  const names = wanted.sessions && [...wanted.sessions.keys()];
  let place = after;
  let ahead: Tidings | undefined;
  let whole = isResumed ? undefined : 0;

  const isOld = (told: Told): boolean => told.kind === 'retold' && told.place <= fresh;

  /** The same part without pieces whose whole is in it, or in the next one. */
  function thin(part: Tidings, next: Tidings | undefined): Tidings {
    const wholes = createWholes();
    // Not what closes a session: it holds only until the session goes on.
    for (const one of [...part.told, ...(next?.told ?? [])]) if (one.kind === 'line') one.events.forEach(wholes.add);
    whole ??= part.told.find(({ kind }) => kind === 'line')?.place;
    const told = part.told.map((one) =>
      one.kind !== 'line' || one.place === whole || !one.events.some(wholes.isPiece) || mayBeCut(one.events)
        ? one
        : { ...one, events: one.events.filter((event) => !wholes.isPiece(event)) },
    );
    return { ...part, told };
  }

  return {
    get place() {
      return place;
    },
    next: () => inTurn(outlet, next),
  };

  async function next(): ReturnType<Replay['next']> {
    await outlet.drained(REPLAY_QUEUED_BYTES);
    if (listener.isOver || outlet.isGone) return 'end';
    const part = ahead ?? (await history.tidings(place, names));
    ahead = part.until < part.end ? await history.tidings(part.until, names) : undefined;
    if (part.epoch !== epoch || (ahead && ahead.epoch !== epoch)) return 'epoch';
    if (names && part.told.some((told) => told.kind === 'retold' && !isOld(told))) return 'anew';
    const thinned = wanted.view === 'activity' ? part : thin(part, ahead);
    await view.prepare(thinned.told);
    if (listener.isOver) return 'end';
    const lines = toldLines(thinned, (told) => {
      const said = view.say(told);
      return told.kind === 'retold' && !isOld(told) ? [...said, resetText(epoch, told.sessionId)] : said;
    });
    for (const { text } of packFrames(subscriptionId, { epoch, position: place, fresh }, lines)) outlet.send(text);
    place = part.until;
    const state = ahead ? 'more' : 'end';
    // While others have their turn it is not held.
    if (isAwaited(outlet)) ahead = undefined;
    return state;
  }
}
