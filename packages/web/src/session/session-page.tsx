// One session: what happened in it, as it happens, and what can be said to it.

import { useClient } from '@tailrace/client/react';
import { createSessionFeed, type SessionFeedView, sentenceOf } from '@tailrace/client/timeline';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useTitle } from '../shell/title.ts';
import { Button } from '../ui/button.tsx';
import { useHeld } from '../ui/held.ts';
import { sessionName } from '../ui/session-name.ts';
import { Empty, Loading, Trouble } from '../ui/states.tsx';
import { moveUnsent } from '../ui/unsent.ts';
import { partAt } from './part-at.ts';
import { SessionView } from './session-view.tsx';
import { useSession } from './use-session.ts';

const route = getRouteApi('/sessions/$sessionId');

export function SessionPage(): ReactElement {
  const { sessionId } = route.useParams();
  const { part, position } = route.useSearch();
  const [attempt, setAttempt] = useState(0);
  return (
    <SessionLoader
      key={`${sessionId} ${attempt}`}
      sessionId={sessionId}
      part={part}
      position={position}
      onRetry={() => setAttempt(attempt + 1)}
    />
  );
}

interface SessionLoaderProps {
  readonly sessionId: string;
  readonly part: string | undefined;
  /** A line, where the part is not known. */
  readonly position: number | undefined;
  readonly onRetry: () => void;
}

function SessionLoader({ sessionId, part, position, onRetry }: SessionLoaderProps): ReactElement {
  const feed = useHeld(useFeed(sessionId));
  const { data, error } = useSession(sessionId);
  const session = useHeld(data);
  const navigate = useNavigate();
  useTitle(session && sessionName(session.id, session.title));
  const { movedTo, isGone, problem, isLive, isTail, loadedCount } = feed;
  useEffect(() => {
    if (movedTo === null) return;
    moveUnsent(sessionId, movedTo);
    void navigate({
      to: '/sessions/$sessionId',
      params: { sessionId: movedTo },
      search: { ...(part !== undefined && { part }), ...(position !== undefined && { position }) },
      replace: true,
    });
  }, [movedTo, navigate, sessionId, part, position]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once all of it is there, what comes later changes nothing about a line
  const place = useMemo(
    () => (isLive && position !== undefined ? (partAt(feed, position) ?? `line ${position}`) : undefined),
    [isLive, position],
  );

  const home = (
    <Link to="/" className="underline decoration-line underline-offset-2 hover:decoration-current">
      All sessions
    </Link>
  );
  if (isGone && movedTo === null)
    return (
      <Empty isPage title="This session is not here any more" action={home}>
        It was removed from the history.
      </Empty>
    );
  const failure = problem ? (problem.detail ?? problem.title) : error ? sentenceOf(error) : undefined;
  if (failure !== undefined && !session)
    return (
      <Trouble
        isPage
        title="This session cannot be shown"
        action={
          <span className="flex items-center gap-4">
            <Button onClick={onRetry}>Try again</Button>
            {home}
          </span>
        }
      >
        {failure}
      </Trouble>
    );
  // Whoever wants a certain place waits until it is there.
  const isShown = isLive || (isTail && part === undefined && position === undefined);
  if (!isShown || !session)
    return (
      <Loading label="Loading the session">
        Loading the session… <span className="figures">{loadedCount > 0 && `${loadedCount} events`}</span>
      </Loading>
    );
  return <SessionView feed={feed} session={session} part={part ?? place} />;
}

function useFeed(sessionId: string): SessionFeedView {
  const client = useClient();
  const feed = useMemo(() => createSessionFeed(client, sessionId), [client, sessionId]);
  return useSyncExternalStore(feed.subscribe, feed.getSnapshot);
}
