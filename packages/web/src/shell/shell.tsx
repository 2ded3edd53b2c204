// What stands around every page: the header, who may come in, and the keys that work everywhere.

import { usePermissions, useStatus } from '@tailrace/client/react';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react';
import { useLostDrafts } from '../answer/drafts.ts';
import { focusNextRequest } from '../answer/focus-request.ts';
import { nameOf } from '../answer/use-answering.ts';
import { notifications } from '../notify/notifications.ts';
import { Button } from '../ui/button.tsx';
import { useKeptChoice } from '../ui/kept-choice.ts';
import { Trouble } from '../ui/states.tsx';
import { CONTENT_ID } from './content.ts';
import { useDensityShown } from './density.ts';
import { focusFind } from './find-field.tsx';
import { Header } from './header.tsx';
import { useKeys } from './keys.ts';
import { KeysDialog } from './keys-dialog.tsx';
import { Notes } from './notes.tsx';
import { SignIn } from './sign-in.tsx';
import { useWaitingCount } from './title.ts';

const Notifier = lazy(() => import('../notify/notifier.tsx').then((module) => ({ default: module.Notifier })));
const Palette = lazy(() => import('../palette/palette.tsx').then((module) => ({ default: module.Palette })));

export function Shell(): ReactElement {
  const status = useStatus();
  const isSignedIn = status.state !== 'signed-out';
  const navigate = useNavigate();
  const [isKeysOpen, setKeysOpen] = useState(false);
  /** It stays once it was opened, so that the focus goes back to where it was. */
  const [palette, setPalette] = useState<'open' | 'closed' | null>(null);
  // The page listens from here on, whatever it shows: so it is connected, and knows what waits.
  const { requests } = usePermissions();
  useLostDrafts(requests, nameOf);
  useWaitingCount(status.state === 'signed-out' ? 0 : requests.length);
  const isNotifying = useKeptChoice(notifications) === 'on';
  useDensityShown();
  const openPalette = (): void => {
    if (isSignedIn) setPalette('open');
  };
  useKeys([
    { keys: '?', label: 'show the keys', group: 'everywhere', run: () => setKeysOpen(true) },
    { keys: 'ctrl+k', label: 'go to a session, a page, a command', group: 'everywhere', run: openPalette },
    { keys: 'n', label: 'start a run', group: 'everywhere', run: () => isSignedIn && void navigate({ to: '/start' }) },
    { keys: '/', label: 'find', group: 'everywhere', run: focusFind },
    {
      keys: 'a',
      label: 'answer what waits',
      group: 'everywhere',
      run: () => {
        if (!focusNextRequest() && requests.length > 0) void navigate({ to: '/' }).then(focusNextRequest);
      },
    },
  ]);
  useContentFocus();
  return (
    <div className="flex h-dvh flex-col">
      <a
        href={`#${CONTENT_ID}`}
        className="sr-only z-50 rounded-md border border-line bg-raised px-3 py-2 focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
        onClick={(event) => {
          // The address stays what it is.
          event.preventDefault();
          document.getElementById(CONTENT_ID)?.focus();
        }}
      >
        Skip to the content
      </a>
      <Header isSignedIn={isSignedIn} onKeys={() => setKeysOpen(true)} />
      <div id={CONTENT_ID} tabIndex={-1} className="relative min-h-0 flex-1 overflow-y-auto outline-none">
        {status.state === 'incompatible' ? <Older /> : isSignedIn ? <Outlet /> : <SignIn />}
      </div>
      <Notes />
      {isSignedIn && isNotifying && <Notices />}
      {palette !== null && (
        <Suspense>
          <Palette isOpen={palette === 'open'} onClose={() => setPalette('closed')} onKeys={() => setKeysOpen(true)} />
        </Suspense>
      )}
      <KeysDialog isOpen={isKeysOpen} onClose={() => setKeysOpen(false)} />
    </div>
  );
}

/** Keys scroll what has the focus: on a new page that is the content, unless something asked for it. */
function useContentFocus(): void {
  const path = useLocation({ select: ({ pathname }) => pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another page
  useEffect(() => {
    if (document.activeElement === document.body) document.getElementById(CONTENT_ID)?.focus({ preventScroll: true });
  }, [path]);
}

/** It is on from here on, however long its part of the page is on its way. */
function Notices(): ReactElement {
  const [since] = useState(() => Date.now());
  return (
    <Suspense>
      <Notifier since={since} />
    </Suspense>
  );
}

function Older(): ReactElement {
  return (
    <Trouble
      isPage
      title="This page is older than the server"
      action={
        <Button kind="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      }
    >
      Load it anew to go on.
    </Trouble>
  );
}
