// Home: what waits for the person, what is at work, and what was.

import { usePermissions, useSessions } from '@tailrace/client/react';
import { isAtWork, isBusy } from '@tailrace/client/timeline';
import type { SessionQuery } from '@tailrace/protocol';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { useHeld } from '../ui/held.ts';
import { Earlier } from './earlier.tsx';
import { findSessions } from './find.ts';
import { Inbox } from './inbox.tsx';
import { useRowKeys } from './row-keys.ts';
import { useScrollKept } from './scroll-kept.ts';
import type { HomeSearch } from './search.ts';
import { Section } from './section.tsx';
import { WorkingRow } from './session-row.tsx';

/** Sessions of one part of the list. */
const PART = 100;
const DAYS = 30;

export function Home(): ReactElement {
  const search = useSearch({ from: '/' });
  const navigate = useNavigate();
  const since = useMemo(startOfPeriod, []);
  const { sessions, isLoading } = useHeld(useSessions({ limit: PART, since }));
  const { requests } = useHeld(usePermissions());
  useRowKeys();
  useScrollKept(!isLoading);
  const { q = '', project, model, agent, status, starred, period } = search;
  const working = findSessions(sessions.filter(isAtWork), q);
  // The same question as above, word for word, where nothing is narrowed: then it is asked once.
  const query: Omit<SessionQuery, 'cursor'> = {
    limit: PART,
    ...(period !== 'all' && { since }),
    ...(project !== undefined && { project }),
    ...(model !== undefined && { model }),
    ...(agent !== undefined && { agent }),
    ...(status !== undefined && { status }),
    ...(starred && { starred }),
  };
  const onSearch = (change: HomeSearch): void =>
    void navigate({ to: '/', search: (before) => ({ ...before, ...change }), replace: true });

  return (
    <main className="mx-auto flex max-w-[1440px] flex-col gap-8 px-2 py-6 sm:px-4">
      <h1 className="sr-only">Sessions</h1>
      <Inbox requests={requests} sessions={sessions} />
      {working.length > 0 && (
        <Section title={working.some(isBusy) ? 'Working' : 'Open'} count={working.length}>
          <div className="border-t border-line">
            {working.map((session) => (
              <WorkingRow key={session.id} session={session} />
            ))}
          </div>
        </Section>
      )}
      <Earlier
        query={query}
        search={search}
        onSearch={onSearch}
        known={sessions}
        isAlone={working.length === 0 && requests.length === 0}
      />
    </main>
  );
}

/** The beginning of a day, so that it is the same all day. */
function startOfPeriod(): number {
  const date = new Date();
  date.setHours(0, 0, 0, 0);
  return date.setDate(date.getDate() - DAYS);
}
