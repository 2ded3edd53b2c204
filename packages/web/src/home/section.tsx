import { type ReactElement, type ReactNode, useId } from 'react';

export interface SectionProps {
  readonly title: string;
  readonly count?: number | string;
  readonly tone?: 'waiting';
  /** What stands beside the title. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, count, tone, aside, children }: SectionProps): ReactElement {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2
          id={id}
          tabIndex={-1}
          className={`text-xs font-semibold tracking-wide uppercase outline-none ${tone === 'waiting' ? 'text-waiting' : 'text-muted'}`}
        >
          {title}
          {count !== undefined && <span className="figures"> ({count})</span>}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
