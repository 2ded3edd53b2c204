import { shortPath } from '@tailrace/client/timeline';
import type { FileChange, Outcome } from '@tailrace/core';
import { memo, type ReactElement } from 'react';
import { Diff } from '../../text/diff.tsx';
import { PlainText } from '../../text/plain-text.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ChangeCounts, countsOf } from '../change-counts.tsx';

export interface ChangesViewProps {
  readonly changes: readonly FileChange[];
  readonly cwd: string | null;
  /** Whether they came about; absent when they did. */
  readonly outcome?: Outcome | undefined;
}

const OPERATIONS: Readonly<Record<FileChange['operation'], string>> = {
  add: 'new',
  modify: 'changed',
  delete: 'deleted',
  move: 'moved',
  copy: 'copied',
};

export const ChangesView = memo(function ChangesView({ changes, cwd, outcome }: ChangesViewProps): ReactElement {
  return (
    <>
      {outcome !== undefined && (
        <p className="text-sm text-bad">
          {outcome === 'unknown' ? 'Nobody told whether this change came about.' : 'This change did not come about.'}
        </p>
      )}
      {changes.map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one call may change a file twice.
        <div key={index} className="flex min-w-0 flex-col gap-1">
          <div className="flex min-w-0 items-center gap-2 text-xs">
            <span className="min-w-0 font-mono wrap-anywhere">
              <PlainText text={shortPath(change.path, cwd)} />
            </span>
            <span className="text-muted">{OPERATIONS[change.operation]}</span>
            <ChangeCounts counts={countsOf([change])} />
            <CopyButton text={change.path} label="Copy path" />
          </div>
          <Diff change={change} />
        </div>
      ))}
    </>
  );
});
