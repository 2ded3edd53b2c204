// A value of any shape as a tree: what lies deep, and what is long, is folded.

import { shortJson } from '@tailrace/client/timeline';
import type { Json } from '@tailrace/core';
import { type ReactElement, useState } from 'react';
import { Code } from '../text/code.tsx';
import { PlainText } from '../text/plain-text.tsx';
import { useShownJson } from '../text/shown.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';

export function JsonTree({ value, label = 'value' }: { readonly value: Json; readonly label?: string }): ReactElement {
  const shown = useShownJson(value);
  return (
    <div className="relative rounded-md border border-line bg-sunken p-2 pr-10 font-mono text-xs">
      <Value value={shown} depth={0} />
      <div className="absolute top-1 right-1 rounded-md bg-sunken">
        <CopyButton text={JSON.stringify(shown, null, 2) ?? ''} label={`Copy ${label}`} />
      </div>
    </div>
  );
}

const OPEN_LEVELS = 2;
const MOST_ENTRIES = 50;
const LONGEST_TEXT = 300;

function Value({ value, depth }: { readonly value: Json; readonly depth: number }): ReactElement {
  if (typeof value === 'string') {
    if (value.length <= LONGEST_TEXT && !value.includes('\n')) {
      return (
        <span className="text-good wrap-anywhere">
          "<PlainText text={value} />"
        </span>
      );
    }
    return <Code text={value} maxLines={8} isWrapped label="text" />;
  }
  if (typeof value === 'object' && value !== null) return <Entries value={value} depth={depth} />;
  return <span className="text-working">{String(value)}</span>;
}

function Entries({ value, depth }: { readonly value: object; readonly depth: number }): ReactElement {
  const [isOpen, setOpen] = useState(depth < OPEN_LEVELS);
  const [limit, setLimit] = useState(MOST_ENTRIES);
  const entries = Object.entries(value);
  const isList = Array.isArray(value);
  if (entries.length === 0) return <span className="text-muted">{isList ? '[]' : '{}'}</span>;
  if (!isOpen) {
    return (
      <button
        type="button"
        aria-expanded={false}
        onClick={() => setOpen(true)}
        className="rounded-sm text-left text-muted wrap-anywhere hover:bg-line"
      >
        <PlainText text={shortJson(value, 80)} />
      </button>
    );
  }
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      {entries.slice(0, limit).map(([name, entry]) => (
        <div key={name} className={`flex min-w-0 flex-wrap gap-x-2 ${depth > 0 ? 'pl-3' : ''}`}>
          <span className="text-muted wrap-anywhere">
            <PlainText text={name} />:
          </span>
          <div className="max-w-full min-w-0">
            <Value value={entry} depth={depth + 1} />
          </div>
        </div>
      ))}
      {entries.length > limit && (
        <Button kind="quiet" size="sm" className="self-start" onClick={() => setLimit(limit + 10 * MOST_ENTRIES)}>
          {`… ${(entries.length - limit).toLocaleString('en')} more`}
        </Button>
      )}
    </div>
  );
}
