import { type ReactElement, type ReactNode, useId, useState } from 'react';
import { Button } from '../ui/button.tsx';

export interface WithTableProps {
  readonly title: string;
  /** What stands beside the title. */
  readonly aside?: ReactNode;
  readonly chart: ReactNode;
  /** The same figures as a table. */
  readonly table: ReactNode;
}

/** A chart under its title; a switch shows its figures as a table. */
export function WithTable({ title, aside, chart, table }: WithTableProps): ReactElement {
  const [isTable, setTable] = useState(false);
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        {aside}
        <Button
          kind="quiet"
          size="sm"
          className="ml-auto"
          aria-pressed={isTable}
          aria-label={`Show as a table: ${title}`}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? 'Show as a chart' : 'Show as a table'}
        </Button>
      </div>
      {isTable ? <div className="max-h-96 overflow-auto rounded-md border border-line">{table}</div> : chart}
    </section>
  );
}
