// Chooses a session by parts of its title. Those of the same project stand first: they may have had the same task.

import { useSessions } from '@tailrace/client/react';
import type { SessionInfo } from '@tailrace/protocol';
import { type ReactElement, useState } from 'react';
import { findSessions } from '../home/find.ts';
import { PlainText } from '../text/plain-text.tsx';
import { Cost, Time } from '../ui/figures.tsx';
import { sessionName } from '../ui/session-name.ts';
import { Loading } from '../ui/states.tsx';

export interface SessionPickerProps {
  /** The one it is compared with. */
  readonly not: string | undefined;
  readonly like: SessionInfo | undefined;
  readonly onChoose: (id: string) => void;
}

const MOST_SHOWN = 12;
const MOST_KNOWN = 500;

export function SessionPicker({ not, like, onChoose }: SessionPickerProps): ReactElement {
  const [text, setText] = useState('');
  const { sessions, isLoading } = useSessions({ limit: MOST_KNOWN });
  const others = sessions.filter(({ id }) => id !== not);
  const found = findSessions(sortAlike(others, like), text);
  return (
    <div className="flex flex-col gap-2">
      <input
        type="search"
        value={text}
        maxLength={200}
        placeholder="Find a session"
        aria-label="Find a session"
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
        className="h-9 w-full rounded-md border border-line bg-surface px-3 text-sm placeholder:text-muted"
      />
      {isLoading && <Loading label="Loading the sessions" />}
      {!isLoading && found.length === 0 && (
        <p role="status" className="text-sm text-muted">
          {others.length === 0 ? 'There is no other session yet.' : 'No session is like that.'}
        </p>
      )}
      <ul className="flex flex-col">
        {found.slice(0, MOST_SHOWN).map((session) => (
          <li key={session.id}>
            <button
              type="button"
              onClick={() => onChoose(session.id)}
              className="flex w-full flex-wrap items-baseline gap-x-3 rounded-sm px-2 py-1.5 text-left hover:bg-sunken"
            >
              <span className="min-w-0 flex-1 truncate">
                <PlainText text={sessionName(session.id, session.title)} />
              </span>
              <span className="flex gap-2 text-xs text-muted">
                {session.agent}
                <Cost usd={session.costUsd} state={session.costState} />
                {session.startedAt !== null && <Time at={session.startedAt} />}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {found.length > MOST_SHOWN && (
        <p className="text-xs text-muted">{`${found.length - MOST_SHOWN} more: type a part of the title.`}</p>
      )}
    </div>
  );
}

/** The same task first, then the same project, then the rest; each in the order they had. */
export function sortAlike(sessions: readonly SessionInfo[], like: SessionInfo | undefined): readonly SessionInfo[] {
  if (!like) return sessions;
  const weight = (one: SessionInfo): number =>
    (one.title !== null && one.title === like.title ? 0 : 2) + (one.projectId === like.projectId ? 0 : 1);
  return [...sessions].sort((one, other) => weight(one) - weight(other));
}
