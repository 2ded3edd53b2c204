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

export function Notifier(): null {
  const client = useClient();
  const router = useRouter();
  useEffect(() => {
    const points = createTurningPoints(Date.now());
    const end = new AbortController();
    client.http.sessions({ limit: KNOWN }, { signal: end.signal }).then(
      ({ items }) => items.forEach(points.learn),
      () => {
        // Then only what begins from now on is told.
      },
    );
    const untitled = createUntitled((point) => {
      if (!isOnScreen(point, router.state.location.pathname)) say(point);
    });
    const subscription = client.subscribe({ view: 'sessions' }, (messages) => {
      for (const message of messages) {
        if (message.type === 'gone') untitled.forget(message.sessionId);
        if (message.type !== 'session') continue;
        const point = points.see(message.session);
        if (point) untitled.tell(point);
        else untitled.see(message.session);
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
  }, [client, router]);
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
