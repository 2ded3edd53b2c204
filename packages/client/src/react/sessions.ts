// The list of sessions over HTTP, and what changes in it over the socket, as one.

import { MAX_PAGE_ITEMS, type SessionInfo, type SessionPage, type SessionQuery } from '@tailrace/protocol';
import type { Client } from '../client.ts';
import { type ClientError, isClientError } from '../errors.ts';
import type { FeedMessage } from '../feed/message.ts';
import type { Source } from './live-store.ts';
import { isMatch } from './session-match.ts';
import { createSingleFlight } from './single-flight.ts';

export interface SessionsView {
  /** Those that were last active first; new ones come in front, the others keep their places. */
  readonly sessions: readonly SessionInfo[];
  /** The list was not there yet. */
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly error: ClientError | null;
}

export const noSessions: SessionsView = { sessions: [], isLoading: true, hasMore: false, error: null };

export interface SessionsSource extends Source<SessionsView> {
  loadMore(): void;
}

interface Heard {
  /** Nothing: it is gone. */
  readonly session: SessionInfo | undefined;
  /** How many things were heard before. */
  readonly at: number;
}

export function startSessions(client: Client, query: SessionQuery, touch: () => void): SessionsSource {
  let listed: readonly SessionInfo[] = [];
  const heard = new Map<string, Heard>();
  let count = 0;
  let next: string | null = null;
  let isLoading = true;
  let error: ClientError | null = null;

  /** One after the other: a list that is loaded anew while a part is added to it would lose that part. */
  const loading = createSingleFlight(async (signal) => {
    if (isFirstWanted) await load(() => loadFirst(signal));
    if (isMoreWanted) await load(() => loadMore(signal));
  });
  let isFirstWanted = false;
  let isMoreWanted = false;

  function reload(): void {
    isFirstWanted = true;
    loading.request();
  }

  async function loadFirst(signal: AbortSignal): Promise<SessionPage> {
    isFirstWanted = false;
    const limit = listed.length > 0 ? Math.min(listed.length, MAX_PAGE_ITEMS) : query.limit;
    const before = count;
    const page = await client.http.sessions({ ...query, limit }, { signal });
    // What was heard before is in the list, and what was missed in a break too.
    for (const [id, { at }] of heard) if (at < before) heard.delete(id);
    listed = page.items;
    return page;
  }

  async function loadMore(signal: AbortSignal): Promise<SessionPage | undefined> {
    isMoreWanted = false;
    if (next === null) return undefined;
    const page = await client.http.sessions({ ...query, cursor: next }, { signal });
    const known = new Set(listed.map(({ id }) => id));
    listed = [...listed, ...page.items.filter(({ id }) => !known.has(id))];
    return page;
  }

  async function load(ask: () => Promise<SessionPage | undefined>): Promise<void> {
    try {
      const page = await ask();
      if (page) next = page.next;
      error = null;
    } catch (failure) {
      if (!isClientError(failure) || failure.code === 'aborted') return;
      error = failure;
    }
    isLoading = false;
    touch();
  }

  function take(message: FeedMessage): void {
    if (message.type === 'session') heard.set(message.session.id, { session: message.session, at: count++ });
    else if (message.type === 'gone') heard.set(message.sessionId, { session: undefined, at: count++ });
    else if (message.type === 'live' || message.type === 'reset') reload();
  }

  const { agent, project } = query;
  const filter = {
    ...(agent !== undefined && { agents: [agent] }),
    ...(project !== undefined && { projects: [project] }),
  };
  const subscription = client.subscribe({ view: 'sessions', filter }, (messages) => {
    messages.forEach(take);
    touch();
  });
  // At once, since there may be no socket.
  reload();

  return {
    read() {
      const known = new Set(listed.map(({ id }) => id));
      const fresh = [...heard.values()].flatMap(({ session }) => (session && !known.has(session.id) ? [session] : []));
      const old = listed.flatMap((session) => {
        const change = heard.get(session.id);
        const now = change ? change.session : session;
        return now ? [now] : [];
      });
      const sessions = [...fresh.reverse(), ...old].filter((session) => isMatch(session, query));
      return { sessions, isLoading, hasMore: next !== null, error };
    },
    loadMore() {
      isMoreWanted = true;
      loading.request();
    },
    stop() {
      subscription.close();
      loading.stop();
    },
  };
}
