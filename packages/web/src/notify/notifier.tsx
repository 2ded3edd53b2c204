// Says when a run waits or ends, to whoever wants to hear it and does not look at it.

import { useClient } from '@tailrace/client/react';
import { revealHidden } from '@tailrace/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { tell } from '../shell/note.ts';
import { shown } from '../text/shown.tsx';
import { showNotification } from './notifications.ts';
import { createTurningPoints, type TurningPoint, wordsOf } from './turning-points.ts';
import { createUntitled } from './untitled.ts';

/** Of so many sessions it is known how they stood before. */
const KNOWN = 200;

export interface NotifierProps {
  /** When it was switched on, or the page was opened: what has come since is told, also while this was on its way. */
  readonly since: number;
}

export function Notifier({ since }: NotifierProps): null {
  const client = useClient();
  const router = useRouter();
  useEffect(() => {
    const points = createTurningPoints(since);
    const untitled = createUntitled((point) => {
      if (!isOnScreen(point, router.state.location.pathname)) say(point);
    });
    const tellIf = (point: TurningPoint | undefined): boolean => {
      if (point) untitled.tell(point);
      return point !== undefined;
    };
    const end = new AbortController();
    client.http.sessions({ limit: KNOWN }, { signal: end.signal }).then(
      ({ items }) => {
        for (const session of items) tellIf(points.learn(session));
      },
      () => {
        // Then only what begins from now on is told.
      },
    );
    const subscription = client.subscribe({ view: 'sessions' }, (messages) => {
      for (const message of messages) {
        if (message.type !== 'session') continue;
        if (!tellIf(points.see(message.session))) untitled.see(message.session);
      }
    });

    function say(point: TurningPoint): void {
      const { id } = point.session;
      const words = wordsOf(point);
      const title = revealHidden(shown(words.title));
      const onOpen = (): void =>
        void router.navigate({ to: '/sessions/$sessionId', params: { sessionId: id }, search: {} });
      const isSeen = isLookedAt();
      if (isSeen || !showNotification({ name: `${id} ${point.kind}`, title, text: words.text, onOpen }))
        tell(`${title}: ${words.text}`, { words: 'Open', run: onOpen });
    }

    return () => {
      end.abort();
      untitled.end();
      subscription.close();
    };
  }, [client, router, since]);
  return null;
}

function isLookedAt(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}

/** The session itself is open, or the list that it stands in. */
function isOnScreen({ session }: TurningPoint, path: string): boolean {
  return (
    isLookedAt() &&
    (path === '/' || path === `/sessions/${encodeURIComponent(session.id)}` || path === `/sessions/${session.id}`)
  );
}
