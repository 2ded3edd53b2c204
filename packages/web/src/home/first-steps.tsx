import type { ReactElement } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';

const WAYS = [
  { command: 'tailrace run "Fix the flaky test"', says: 'starts an agent, and shows it here' },
  {
    command: 'claude -p "…" --output-format stream-json --verbose | tailrace --record',
    says: 'keeps what an agent prints',
  },
  { command: 'tailrace watch', says: 'follows the sessions that your agents write down by themselves' },
];

/** How a session gets here, for somebody who has none. */
export function FirstSteps(): ReactElement {
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-4 px-4 py-16">
      <div>
        <h2 className="text-lg font-semibold">There is no session yet</h2>
        <p className="text-muted">
          Each session of your agents appears here as it happens, and stays. Type one of these in a terminal:
        </p>
      </div>
      <ul className="flex flex-col gap-3">
        {WAYS.map(({ command, says }) => (
          <li key={command}>
            <div className="flex items-center gap-2 rounded-md border border-line bg-raised py-1 pr-1 pl-3">
              <code className="min-w-0 flex-1 overflow-x-auto py-1 text-sm whitespace-nowrap">{command}</code>
              <CopyButton text={command} label={`Copy: ${command}`} />
            </div>
            <p className="mt-1 text-xs text-muted">{says}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
