// The only place where an address of an agent becomes a link.

import type { ReactElement, ReactNode } from 'react';
import { hostOf, isMisleading, safeAddress } from './link.ts';
import { PlainText } from './plain-text.tsx';

export interface SafeLinkProps {
  readonly address: string;
  /** What the link says; the address itself unless it is given. */
  readonly children?: ReactNode;
  /** The same as plain text, to see whether it names another place. */
  readonly words?: string;
}

export function SafeLink({ address, children, words = '' }: SafeLinkProps): ReactElement {
  const url = safeAddress(address);
  if (!url) {
    return (
      <span className="wrap-anywhere">
        {children}{' '}
        <span className="font-mono text-xs text-muted">
          (<PlainText text={address} />)
        </span>
      </span>
    );
  }
  return (
    <>
      <a
        href={url.href}
        target="_blank"
        rel="noopener noreferrer"
        title={hostOf(url)}
        className="text-working underline decoration-1 underline-offset-2 wrap-anywhere hover:decoration-2"
      >
        {children ?? <PlainText text={address} />}
      </a>
      {isMisleading(words, url) && <span className="text-muted"> ({hostOf(url)})</span>}
    </>
  );
}
