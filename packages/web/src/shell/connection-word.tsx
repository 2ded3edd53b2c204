import { useClient, useStatus } from '@tailrace/client/react';
import { clsx } from 'clsx';
import type { ReactElement, ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { useNow } from '../ui/now.ts';

/** How the page stands with its server, in words. On a phone they stand there only when something is wrong. */
export function ConnectionWord(): ReactElement {
  const client = useClient();
  const status = useStatus();
  switch (status.state) {
    case 'open':
      return (
        <Word isGood title={`server ${status.serverVersion}`}>
          connected
        </Word>
      );
    case 'waiting':
      return (
        <Word>
          <span aria-hidden="true" className="sm:hidden">
            offline
          </span>
          <span className="max-sm:sr-only">
            not connected
            <span aria-hidden="true">
              , tries again in <Countdown to={status.retryAt} />
            </span>
          </span>
          <Button size="sm" aria-label="Try again now" onClick={() => client.reconnect()}>
            now
          </Button>
        </Word>
      );
    case 'signed-out':
      return <Word>signed out</Word>;
    case 'incompatible':
      return <Word>not connected</Word>;
    case 'closed':
      return <Word>not connected</Word>;
    default:
      return <Word>connecting…</Word>;
  }
}

function Countdown({ to }: { readonly to: number }): ReactElement {
  return <span className="figures">{Math.max(0, Math.ceil((to - useNow()) / 1000))} s</span>;
}

interface WordProps {
  readonly isGood?: true;
  readonly title?: string;
  readonly children: ReactNode;
}

function Word({ isGood, title, children }: WordProps): ReactElement {
  return (
    <p role="status" title={title} className="flex items-center gap-1.5 text-xs whitespace-nowrap text-muted">
      <svg viewBox="0 0 10 10" className={clsx('size-2 shrink-0', isGood && 'text-good')} aria-hidden="true">
        {isGood ? (
          <circle cx="5" cy="5" r="4" fill="currentColor" />
        ) : (
          <circle cx="5" cy="5" r="3.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
        )}
      </svg>
      <span className={clsx('flex items-center gap-1.5', isGood && 'max-sm:sr-only')}>{children}</span>
    </p>
  );
}
