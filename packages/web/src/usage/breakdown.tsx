// The same bill in other rows: by project, model, agent, block, sub-agent or tool; and as a file.

import { useUsage } from '@tailrace/client/react';
import { usageCsv } from '@tailrace/protocol';
import { Download } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../ui/button.tsx';
import { Loading, Trouble } from '../ui/states.tsx';
import { download } from './download.ts';
import { FigureTable } from './figure-table.tsx';
import { BREAKDOWNS, type Breakdown, type Days } from './usage-search.ts';

export interface BreakdownSectionProps {
  readonly by: Breakdown;
  readonly days: Days;
  readonly onBy: (by: Breakdown) => void;
}

const LABELS: Readonly<Record<Breakdown, string>> = {
  day: 'Day',
  project: 'Project',
  model: 'Model',
  agent: 'Agent',
  block: 'Five-hour block',
  subagent: 'Sub-agent',
  tool: 'Tool',
};

export function BreakdownSection({ by, days, onBy }: BreakdownSectionProps): ReactElement {
  const { usage, error, refresh } = useUsage({ by, ...days });
  return (
    <section aria-label="Broken down" className="min-w-0">
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="text-base font-semibold">By {LABELS[by].toLowerCase()}</h2>
        <fieldset className="flex flex-wrap gap-1">
          <legend className="sr-only">Rows by</legend>
          {BREAKDOWNS.map((one) => (
            <Button
              key={one}
              size="sm"
              kind={one === by ? 'plain' : 'quiet'}
              aria-pressed={one === by}
              onClick={() => onBy(one)}
            >
              {LABELS[one]}
            </Button>
          ))}
        </fieldset>
        <Button
          size="sm"
          className="ml-auto"
          disabled={usage === null}
          onClick={() => usage && download(fileName(by, days), 'text/csv', usageCsv(usage))}
        >
          <Download className="size-3.5" aria-hidden="true" />
          Download CSV
        </Button>
      </div>
      {by === 'tool' && (
        <p className="mb-2 text-xs text-muted">
          What an answer cost is shared out evenly over the calls that it made: an estimate.
        </p>
      )}
      {by === 'subagent' && (
        <p className="mb-2 text-xs text-muted">
          Agents tell what a session cost as a whole; the parts of its sub-agents are estimated.
        </p>
      )}
      {usage ? (
        <div className="rounded-md border border-line">
          <FigureTable key={by} caption={`Cost by ${LABELS[by].toLowerCase()}`} usage={usage} />
        </div>
      ) : error ? (
        <Trouble title="These rows cannot be shown" action={<Button onClick={refresh}>Try again</Button>}>
          {error.message}
        </Trouble>
      ) : (
        <Loading label="Adding up" />
      )}
    </section>
  );
}

function fileName(by: Breakdown, { since, until }: Days): string {
  return `${['tailrace-usage', by, since, until].filter((part) => part !== undefined).join('-')}.csv`;
}
