import type { ReactElement } from 'react';

export interface ProgressBarProps {
  /** 0 to 100. */
  readonly percentage: number;
  /** What it measures, in words: "6/8", "est. 15 %". */
  readonly label: string;
  readonly className?: string;
}

export function ProgressBar({ percentage, label, className }: ProgressBarProps): ReactElement {
  return (
    <span className={`inline-flex items-center gap-2 ${className ?? ''}`}>
      <span
        role="progressbar"
        aria-valuenow={Math.round(percentage)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-label="progress"
        aria-valuetext={label}
        className="h-1.5 min-w-16 flex-1 overflow-hidden rounded-full bg-line"
      >
        <span className="block h-full rounded-full bg-working" style={{ width: `${percentage}%` }} />
      </span>
      <span className="figures text-xs whitespace-nowrap text-muted">{label}</span>
    </span>
  );
}
