// What stands where there is nothing to show yet, nothing at all, or nothing that came: a sentence and one thing to do.

import { type ReactElement, type ReactNode, useEffect, useState } from 'react';

interface PlainStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** There is nothing else on the page. */
  readonly isPage?: boolean;
}

export function Empty({ title, children, action, isPage = false }: PlainStateProps): ReactElement {
  const [Place, Title] = isPage ? (['main', 'h1'] as const) : (['div', 'p'] as const);
  return (
    <Place className="mx-auto flex max-w-md flex-col items-center gap-2 px-4 py-12 text-center">
      <Title className="text-base font-medium">{title}</Title>
      {children && <div className="text-sm text-muted">{children}</div>}
      {action && <div className="mt-2">{action}</div>}
    </Place>
  );
}

/** Something went wrong; it is said what, and what can be done. */
export function Trouble({ title, children, action, isPage = false }: PlainStateProps): ReactElement {
  const [Place, Title] = isPage ? (['main', 'h1'] as const) : (['div', 'p'] as const);
  return (
    <Place className="mx-auto max-w-md px-4 py-12">
      <div role="alert" className="flex flex-col items-center gap-2 text-center">
        <Title className="text-base font-medium text-bad">{title}</Title>
        {children && <div className="text-sm text-muted">{children}</div>}
        {action && <div className="mt-2">{action}</div>}
      </div>
    </Place>
  );
}

const PATIENCE_MS = 150;

/** Shown only when it takes a moment: what comes at once should not flash. */
export function Loading({
  label,
  children,
}: {
  readonly label: string;
  readonly children?: ReactNode;
}): ReactElement | null {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <div role="status" className="px-4 py-6 text-sm text-muted">
      {children ?? `${label}…`}
      {children && <span className="sr-only">{label}</span>}
    </div>
  );
}
