// Everything that waits for the person, over all sessions; it is answered here.

import type { WaitingRequest } from '@tailrace/client/react';
import { lookOf } from '@tailrace/client/timeline';
import type { SessionInfo } from '@tailrace/protocol';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef } from 'react';
import { RequestCard } from '../answer/request-card.tsx';
import { nameOf } from '../answer/use-answering.ts';
import { PlainText } from '../text/plain-text.tsx';
import { Since } from '../ui/figures.tsx';
import { sessionName } from '../ui/session-name.ts';
import { StateWord } from '../ui/state-word.tsx';
import { Section } from './section.tsx';
import { ROW_ATTRIBUTE } from './session-row.tsx';

export interface InboxProps {
  readonly requests: readonly WaitingRequest[];
  readonly sessions: readonly SessionInfo[];
}

export function Inbox({ requests, sessions }: InboxProps): ReactElement | null {
  const elsewhere = sessions.filter(({ live }) => live?.state === 'waiting' && !live.isOurs);
  const oldestFirst = [...requests].sort((a, b) => a.since - b.since);
  const count = requests.length + elsewhere.length;
  const place = useFocusKept(count);
  if (count === 0) return null;
  return (
    <div ref={place}>
      <Section title="Waiting for you" count={count} tone="waiting">
        <ul className="flex flex-col gap-2">
          {oldestFirst.map((request) => (
            <li key={nameOf(request)}>
              <RequestCard request={request} isCompact where={<WhereOf request={request} sessions={sessions} />} />
            </li>
          ))}
          {elsewhere.map((session) => (
            <li
              key={session.id}
              className="flex flex-wrap items-baseline gap-x-3 rounded-md border border-line border-l-4 border-l-waiting px-4 py-2 text-sm"
            >
              <StateWord look={lookOf(session)} />
              <Where session={session} id={session.id} />
              {session.live && (
                <span className="ml-auto text-xs text-muted">
                  since <Since at={session.live.since} />
                </span>
              )}
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}

interface WhereOfProps {
  readonly request: WaitingRequest;
  readonly sessions: readonly SessionInfo[];
}

/** The session that asks; the folder alone, until the agent has told which session it is. */
function WhereOf({ request: { sessionId, projectId }, sessions }: WhereOfProps): ReactElement | null {
  if (sessionId !== null) return <Where session={sessions.find(({ id }) => id === sessionId)} id={sessionId} />;
  const project = sessions.find((session) => session.projectId === projectId)?.project;
  return project ? <PlainText text={project} /> : null;
}

interface WhereProps {
  readonly session: SessionInfo | undefined;
  readonly id: string;
}

function Where({ session, id }: WhereProps): ReactElement {
  return (
    <Link
      to="/sessions/$sessionId"
      params={{ sessionId: id }}
      {...{ [ROW_ATTRIBUTE]: '' }}
      className="min-w-0 truncate rounded-sm hover:underline"
    >
      {session?.project && (
        <span className="text-muted">
          <PlainText text={session.project} /> ·{' '}
        </span>
      )}
      <PlainText text={sessionName(id, session?.title)} />
    </Link>
  );
}

/** Who answered by keys is still here when the card has gone: the focus goes to the heading, and to no button. */
function useFocusKept(count: number): React.RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    const note = (): void => {
      hadFocus.current = place.current?.contains(document.activeElement) ?? false;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is looked at whenever something has gone
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) place.current?.querySelector('h2')?.focus();
  }, [count]);
  return place;
}
