// Who listens, and what they are told: first what was there, then what comes, without a gap and nothing twice.

import { type Cursor, decodeCursor, encodeCursor, type Subscribe } from '@tailrace/protocol';
import { runStream, type Store, type Tidings } from '@tailrace/store';
import { ProblemError } from '../problem-error.ts';
import { followStore } from './follow-store.ts';
import { type Group, sayCursor, sayToGroup } from './groups.ts';
import { RUN_ROUNDS } from './limits.ts';
import type { Listener } from './listener.ts';
import { createOtherRuns, type OtherRuns } from './other-runs.ts';
import type { Outlet } from './outlet.ts';
import { createReplay } from './replay.ts';
import { createSessionList, type SessionLook } from './session-list.ts';
import { resetText } from './told-lines.ts';
import { createView, type Past } from './view.ts';
import { keyOf, type Wanted, wantedOf } from './wanted.ts';

export interface Hub {
  /** Begins to tell; one with the same name takes the place of the one before. Rejects with a {@link ProblemError}. */
  subscribe(subscribe: Subscribe, outlet: Outlet): Promise<void>;
  unsubscribe(outlet: Outlet, subscriptionId: string): void;
  /** The client is gone. */
  leave(outlet: Outlet): void;
  /** Lines were written here. */
  wake(): void;
  /** Settles when everything that was written before is told, or is being told by another process. */
  told(): Promise<void>;
  /** A session looks different in a list: its run, or its labels. */
  touch(sessionId: string): void;
  /** What other programs' runs are doing, as far as somebody looks at the list. */
  readonly liveRun: OtherRuns['of'];
  /** Cursors of those to whom nothing was said for a while. */
  sayCursors(): void;
  readonly listeners: number;
  close(): Promise<void>;
}

export interface HubOptions {
  readonly store: Store;
  /** A session as it stands in a list. */
  readonly look: SessionLook;
  readonly about: Past['about'];
  onError?(error: unknown): void;
}

/** Behind a cursor, from the start (of what is named, else from now on), or anew, which is told. */
type Beginning = Cursor | 'start' | 'anew';

export function createHub({ store, look, about, onError }: HubOptions): Hub {
  const { history } = store;
  const groups = new Map<string, Group>();
  const listeners = new Map<Outlet, Map<string, Listener>>();
  const list = createSessionList(look, onError);
  const others = createOtherRuns(pastEvents);
  const past: Past = { about, events: pastEvents };
  let epoch = '';
  let end = 0;
  /** The runs of other programs are known, and what they tell is heard. */
  let areOthersKnown = false;
  let rounds: (() => void)[] = [];

  const follower = followStore({ store, onNews: round, ...(onError && { onError }) });

  async function* pastEvents(sessionId: string, before: number): ReturnType<Past['events']> {
    for await (const piece of history.events(sessionId)) {
      for (const { position, events } of piece) {
        if (position >= before) return;
        // What closes a session holds only until it goes on.
        if (Number.isInteger(position)) yield events;
      }
    }
  }

  /** Brings all groups up to what is told now. */
  async function round(): Promise<void> {
    const now = await history.tidings(Number.POSITIVE_INFINITY);
    if (now.epoch !== epoch) beginEpoch(now);
    endGroupsBefore(now.epoch);
    // Most of them stand at the same place.
    const parts = new Map<number, Promise<Tidings>>();
    for (const [key, group] of groups) await bring(key, group, now.end, parts);
    list.hear(await newSessions(now.end, parts));
    end = now.end;
    const waiting = rounds;
    rounds = [];
    for (const done of waiting) done();
  }

  async function bring(key: string, group: Group, to: number, parts: Map<number, Promise<Tidings>>): Promise<void> {
    while (group.place < to && group.listeners.size > 0) {
      const part = await partAfter(group.place, parts);
      if (part.epoch !== group.epoch) return;
      for (const listener of await sayToGroup(group, part)) begin(listener, 'anew');
    }
    // Another may have taken its place meanwhile.
    if (group.listeners.size === 0 && groups.get(key) === group) groups.delete(key);
  }

  function partAfter(place: number, parts: Map<number, Promise<Tidings>>): Promise<Tidings> {
    const part = parts.get(place) ?? history.tidings(place);
    parts.set(place, part);
    return part;
  }

  /** The sessions of which something was told since the last round. */
  async function newSessions(to: number, parts: Map<number, Promise<Tidings>>): Promise<ReadonlySet<string>> {
    const sessions = new Set<string>();
    if (list.size === 0) {
      if (areOthersKnown) others.forget();
      areOthersKnown = false;
      return sessions;
    }
    for (let place = end; place < to; ) {
      const part = await partAfter(place, parts);
      for (const told of part.told) {
        sessions.add(told.sessionId);
        await others.hear(told);
      }
      if (part.until <= place) break;
      place = part.until;
    }
    if (!areOthersKnown) for (const id of await learnOthers(to)) sessions.add(id);
    return sessions;
  }

  /** Whoever looks at the list first finds runs that have said all they say until somebody answers them. */
  async function learnOthers(to: number): Promise<readonly string[]> {
    const rows = await history.sessions({ status: 'running' });
    for (const { id } of rows) await others.learn(id, to + 1);
    areOthersKnown = true;
    return rows.map(({ id }) => id);
  }

  /** What was told before is no longer so. */
  function beginEpoch({ epoch: now, end: place }: Tidings): void {
    // At the very beginning nothing was told.
    if (epoch !== '') list.reset(now);
    epoch = now;
    end = place;
    areOthersKnown = false;
  }

  /** Everybody in a group of another epoch begins anew; whoever came a moment ago may be in the new one already. */
  function endGroupsBefore(now: string): void {
    const old = [...groups].filter(([, group]) => group.epoch !== now);
    for (const [key] of old) groups.delete(key);
    for (const [, group] of old) for (const listener of group.listeners) begin(listener, 'anew');
  }

  function begin(listener: Listener, from: Beginning): void {
    replay(listener, from).catch((error: unknown) => {
      if (listener.isOver) return;
      onError?.(error);
      // It comes again, and goes on from its cursor.
      listener.outlet.letGo();
    });
  }

  /** Sends what was there, and joins those who have heard it all. */
  async function replay(listener: Listener, from: Beginning): Promise<void> {
    const { subscribe, outlet, subscriptionId } = listener;
    const now = await history.tidings(Number.POSITIVE_INFINITY);
    if (from === 'anew') listener.wanted = wantedOf(subscribe, await sessionsOf(subscribe));
    if (listener.isOver) return;
    const { wanted } = listener;
    const isResumed = typeof from === 'object';
    const after = isResumed ? from.position : wanted.sessions ? 0 : now.end;
    const fresh = isResumed ? Math.max(after, from.fresh ?? 0) : now.end;
    if (from === 'anew') say(after, [resetText(now.epoch), ...(await goneTexts(wanted))].join(','));
    // Whoever is new learns at once where they stand: the first line may come in parts.
    if (from === 'start') say(after, '');
    const view = createView(wanted, past);
    const reading = createReplay({ history, listener, view, epoch: now.epoch, after, isResumed, fresh });
    const key = keyOf(wanted);
    for (;;) {
      const state = await reading.next();
      if (listener.isOver || outlet.isGone) return;
      if (state === 'anew' || state === 'epoch') return begin(listener, 'anew');
      if (state === 'more') continue;
      const group = groups.get(key);
      if (group && (group.epoch !== now.epoch || group.place < reading.place)) {
        await nextRound();
        continue;
      }
      if (group && group.place > reading.place) continue;
      const joined = group ?? {
        epoch: now.epoch,
        view: createView(wanted, past),
        listeners: new Set(),
        place: reading.place,
        said: 0,
      };
      groups.set(key, joined);
      joined.listeners.add(listener);
      say(reading.place, '{"type":"live"}');
      follower.wake();
      return;
    }

    function say(position: number, message: string): void {
      const cursor = encodeCursor({ epoch: now.epoch, position, fresh });
      outlet.send(
        `{"subscriptionId":${JSON.stringify(subscriptionId)},"cursor":${JSON.stringify(cursor)},"messages":[${message}]}`,
      );
    }
  }

  /** Of sessions that were followed and are not there any more. */
  async function goneTexts({ sessions }: Wanted): Promise<readonly string[]> {
    const texts: string[] = [];
    for (const sessionId of sessions?.keys() ?? [])
      if (!(await history.session(sessionId))) texts.push(JSON.stringify({ type: 'gone', sessionId }));
    return texts;
  }

  function nextRound(): Promise<void> {
    follower.wake();
    return new Promise((resolve) => rounds.push(resolve));
  }

  /** The sessions that are named, from their beginning, and those of runs, from theirs. */
  async function sessionsOf({ sessions, runs }: Subscribe): Promise<ReadonlyMap<string, number> | undefined> {
    if (!sessions && !runs) return undefined;
    const found = new Map<string, number>();
    for (const run of runs ?? []) {
      const session = await sessionOfRun(run);
      if (!session) throw new ProblemError('not-found', `there is no run ${run}`);
      found.set(
        session.sessionId,
        Math.min(session.firstPosition, found.get(session.sessionId) ?? session.firstPosition),
      );
    }
    for (const session of sessions ?? []) found.set(session, 0);
    return found;
  }

  /** One whose first line is kept and was not looked at yet is waited for. */
  async function sessionOfRun(run: string): ReturnType<Store['history']['sessionOf']> {
    const stream = runStream(run);
    for (let count = 0; ; count++) {
      const session = await history.sessionOf(stream);
      if (session || count === RUN_ROUNDS || !(await store.record.stream(stream))) return session;
      await nextRound();
    }
  }

  function remove(listener: Listener | undefined): void {
    if (!listener) return;
    listener.isOver = true;
    list.remove(listener);
    listeners.get(listener.outlet)?.delete(listener.subscriptionId);
    for (const [key, group] of groups) {
      group.listeners.delete(listener);
      if (group.listeners.size === 0) groups.delete(key);
    }
  }

  return {
    async subscribe(subscribe, outlet) {
      const { subscriptionId, cursor: text, view } = subscribe;
      const cursor = text === undefined ? undefined : decodeCursor(text);
      if (text !== undefined && !cursor) throw new ProblemError('bad-request', 'this is no cursor');
      const wanted = wantedOf(subscribe, await sessionsOf(subscribe));
      const own = listeners.get(outlet) ?? new Map<string, Listener>();
      if (outlet.isGone) return;
      listeners.set(outlet, own);
      remove(own.get(subscriptionId));
      const listener: Listener = { subscriptionId, subscribe, outlet, wanted, isOver: false };
      own.set(subscriptionId, listener);
      if (view === 'sessions') {
        list.add(listener, await store.epoch());
        return follower.wake();
      }
      if (!cursor) return begin(listener, 'start');
      begin(listener, cursor.epoch === (await store.epoch()) ? cursor : 'anew');
    },
    unsubscribe: (outlet, subscriptionId) => remove(listeners.get(outlet)?.get(subscriptionId)),
    leave(outlet) {
      for (const listener of listeners.get(outlet)?.values() ?? []) remove(listener);
      listeners.delete(outlet);
    },
    wake: follower.wake,
    told: nextRound,
    touch: (sessionId) => list.hear(new Set([sessionId])),
    liveRun: others.of,
    sayCursors() {
      for (const group of groups.values()) sayCursor(group);
    },
    get listeners() {
      return [...listeners.values()].reduce((sum, own) => sum + own.size, 0);
    },
    async close() {
      await follower.close();
      for (const done of rounds.splice(0)) done();
      list.close();
      for (const outlet of [...listeners.keys()])
        for (const one of [...(listeners.get(outlet)?.values() ?? [])]) remove(one);
    },
  };
}
