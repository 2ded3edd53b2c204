import { type Conversation, revealHidden } from '@tailrace/core';
import { type ReactElement, useMemo, useState } from 'react';
import { ChangeCounts } from '../cards/change-counts.tsx';
import { PlainText } from '../text/plain-text.tsx';
import { Button } from '../ui/button.tsx';
import { countedFiles, sumOf } from './file-counts.ts';
import { Panel } from './panel.tsx';

/** So many files are listed until somebody wants more. */
const SHOWN = 20;

export interface FilesPanelProps {
  readonly conversation: Conversation;
  /** Leads to the part that changed the file. */
  readonly onShow: (partId: string) => void;
}

export function FilesPanel({ conversation, onShow }: FilesPanelProps): ReactElement {
  const [isAll, setAll] = useState(false);
  const files = useMemo(() => countedFiles(conversation), [conversation]);
  const shown = isAll ? files : files.slice(0, SHOWN);
  return (
    <Panel name="files" title="Files" figure={<ChangeCounts counts={sumOf(files)} />}>
      {files.length === 0 ? (
        <p className="text-sm text-muted">Nothing was changed.</p>
      ) : (
        <ul className="mt-1 text-sm">
          {shown.map(({ path, operation, counts }) => (
            <li key={path}>
              <button
                type="button"
                className="-mx-1.5 flex w-[calc(100%+12px)] items-center gap-2 rounded-sm px-1.5 py-0.5 text-left hover:bg-sunken"
                title={revealHidden(path)}
                onClick={() => {
                  const partId = changerOf(conversation, path);
                  if (partId !== undefined) onShow(partId);
                }}
              >
                <PathName path={path} />
                {operation !== 'modify' && <span className="text-xs text-muted">{WORDS[operation]}</span>}
                <span className="ml-auto">
                  <ChangeCounts counts={counts} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {shown.length < files.length && (
        <Button kind="quiet" size="sm" onClick={() => setAll(true)}>
          {files.length - shown.length} more
        </Button>
      )}
    </Panel>
  );
}

const WORDS = { add: 'new', delete: 'deleted', move: 'moved', copy: 'copied', modify: '' } as const;

/** A long path keeps its end: that tells files apart. */
function PathName({ path }: { readonly path: string }): ReactElement {
  const cut = path.lastIndexOf('/') + 1;
  return (
    <span className="flex min-w-0">
      <span className="min-w-0 truncate text-muted">
        <PlainText text={path.slice(0, cut)} />
      </span>
      <span className="max-w-48 shrink-0 truncate">
        <PlainText text={path.slice(cut)} />
      </span>
    </span>
  );
}

/** The last part that changed a file. */
function changerOf({ parts, cwd }: Conversation, path: string): string | undefined {
  const whole = cwd === null ? path : `${cwd}/${path}`;
  for (let at = parts.length - 1; at >= 0; at--) {
    const changers = parts[at]?.filter(
      (part) =>
        !part.hidden &&
        'changes' in part &&
        part.changes?.some((change) => change.path === path || change.path === whole),
    );
    const last = changers?.at(-1);
    if (last) return last.id;
  }
  return undefined;
}
