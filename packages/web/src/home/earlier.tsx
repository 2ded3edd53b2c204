// Sessions that are over: narrowed, found, ordered, in groups, as many as there are.

import { useSessions } from '@tailrace/client/react';
import { isAtWork } from '@tailrace/client/timeline';
import type { SessionInfo, SessionQuery } from '@tailrace/protocol';
import { type ReactElement, useEffect, useMemo, useRef } from 'react';
import { CONTENT_ID } from '../shell/content.ts';
import { PlainText } from '../text/plain-text.tsx';
import { Button } from '../ui/button.tsx';
import { Cost } from '../ui/figures.tsx';
import { useHeld } from '../ui/held.ts';
import { Empty, Loading, Trouble } from '../ui/states.tsx';
import { groupSessions, sortSessions, totalCost } from './arrange.ts';
import { Filters } from './filters.tsx';
import { findSessions } from './find.ts';
import { FirstSteps } from './first-steps.tsx';
import { type Row, Rows } from './rows.tsx';
import { type HomeSearch, isNarrowed } from './search.ts';
import { Section } from './section.tsx';
import { EarlierRow } from './session-row.tsx';

export interface EarlierProps {
  readonly query: Omit<SessionQuery, 'cursor'>;
  readonly search: HomeSearch;
  /** Changes what is named; a change to undefined takes it away. */
  readonly onSearch: (change: HomeSearch) => void;
  /** All that are known, for what can be chosen. */
  readonly known: readonly SessionInfo[];
  /** Nothing else is on the page. */
  readonly isAlone: boolean;
}

export function Earlier({ query, search, onSearch, known, isAlone }: EarlierProps): ReactElement | null {
  const { q = '', sort = 'active', by = 'project', period } = search;
  const { sessions, isLoading, hasMore, error, loadMore } = useHeld(useSessions(query));
  const shown = useMemo(() => {
    const over = sessions.filter((session) => !isAtWork(session));
    return sortSessions(findSessions(over, q), sort);
  }, [sessions, q, sort]);
  const rows = useMemo(() => rowsOf(shown, by), [shown, by]);
  // An order or a word is about all of them, not about those that happen to be here.
  const isAllWanted = q !== '' || sort !== 'active';
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each part that came the next one is asked for
  useEffect(() => {
    if (isAllWanted && hasMore) loadMore();
  }, [isAllWanted, hasMore, sessions.length]);

  if (isLoading) return <Loading label="Sessions are loading" />;
  if (error && sessions.length === 0) return <NotThere code={error.code} message={error.message} />;
  const total = totalCost(shown, hasMore);
  const isEmpty = shown.length === 0 && !hasMore;
  if (isEmpty && !isNarrowed(search)) {
    if (!isAlone) return null;
    return period === 'all' ? <FirstSteps /> : <NothingLately onAll={() => onSearch({ period: 'all' })} />;
  }
  return (
    <Section
      title="Earlier"
      count={`${shown.length}${hasMore ? '+' : ''}`}
      aside={
        <>
          {total.usd !== null && (
            <p className="text-sm">
              <span className="text-muted">cost: </span>
              <Cost usd={total.usd} state={total.state} />
            </p>
          )}
          <Filters search={search} onChange={onSearch} sessions={known} />
        </>
      }
    >
      {isEmpty ? (
        <Empty title="No session fits" action={<Button onClick={() => onSearch(EVERYTHING)}>Show all sessions</Button>}>
          {q === '' ? 'Nothing is left with what was chosen above.' : <PlainText text={`Nothing is like “${q}”.`} />}
        </Empty>
      ) : (
        <div className="border-t border-line">
          <Rows rows={rows} scrollerId={CONTENT_ID} />
        </div>
      )}
      {hasMore && <More onMore={loadMore} count={sessions.length} />}
    </Section>
  );
}

const EVERYTHING: HomeSearch = {
  q: undefined,
  project: undefined,
  model: undefined,
  agent: undefined,
  status: undefined,
  starred: undefined,
};

function rowsOf(sessions: readonly SessionInfo[], by: 'project' | 'day'): readonly Row[] {
  return groupSessions(sessions, by, Date.now()).flatMap(({ key, title, sessions: members }) => [
    {
      key: `group ${key}`,
      content: (
        <h3 className="border-b border-line bg-surface px-3 pt-4 pb-1 text-sm font-semibold">
          <PlainText text={title} />
          <span className="figures ml-2 text-xs font-normal text-muted">{members.length}</span>
        </h3>
      ),
    },
    ...members.map((session) => ({
      key: session.id,
      content: <EarlierRow session={session} hasProject={by === 'day'} />,
    })),
  ]);
}

/** Older ones come when the end is near, or by hand. */
function More({ onMore, count }: { readonly onMore: () => void; readonly count: number }): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each part that came the end is looked for anew
  useEffect(() => {
    const mark = place.current;
    if (!mark) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onMore();
      },
      { root: document.getElementById(CONTENT_ID), rootMargin: '800px' },
    );
    observer.observe(mark);
    return () => observer.disconnect();
  }, [count]);
  return (
    <div ref={place} className="flex justify-center py-4">
      <Button kind="quiet" onClick={onMore}>
        Show older sessions
      </Button>
    </div>
  );
}

function NothingLately({ onAll }: { readonly onAll: () => void }): ReactElement | null {
  const { sessions, isLoading } = useSessions({ limit: 1 });
  if (isLoading) return null;
  if (sessions.length === 0) return <FirstSteps />;
  return (
    <Empty title="Nothing in the last 30 days" action={<Button onClick={onAll}>Show all sessions</Button>}>
      There are older sessions.
    </Empty>
  );
}

function NotThere({ code, message }: { readonly code: string; readonly message: string }): ReactElement | null {
  // The page is about to ask for the code.
  if (code === 'unauthenticated') return null;
  return (
    <Trouble title="The sessions cannot be shown" action={<Button onClick={() => location.reload()}>Reload</Button>}>
      {message}. They appear by themselves as soon as the server answers.
    </Trouble>
  );
}
