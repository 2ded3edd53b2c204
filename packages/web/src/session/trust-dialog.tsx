import type { FolderBrings } from '@tailrace/protocol';
import type { ReactElement } from 'react';
import { PlainText } from '../text/plain-text.tsx';
import { AsItIs } from '../text/shown.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

export interface TrustDialogProps {
  readonly folder: FolderBrings;
  readonly onCancel: () => void;
  /** The person has seen what the digest stands for. */
  readonly onTrust: (digest: string) => void;
}

/** The folder would make the agent run or obey something, and nobody said yes to that. */
export function TrustDialog({ folder, onCancel, onTrust }: TrustDialogProps): ReactElement {
  return (
    <AsItIs>
      <Dialog title="This folder brings things that run" isOpen onClose={onCancel}>
        <p className="text-sm">
          An agent that is started here runs or obeys these. Go on only if you know where they are from.
        </p>
        <ul className="my-3 max-h-80 divide-y divide-line overflow-y-auto rounded-md border border-line">
          {folder.brought.map(({ kind, name, detail, file }) => (
            <li key={JSON.stringify([kind, name, file])} className="px-3 py-2 text-sm">
              <p className="font-medium">
                <span className="text-muted">{kind}</span> <PlainText text={name} />
              </p>
              {detail !== '' && (
                <pre className="mt-1 text-xs break-words whitespace-pre-wrap">
                  <PlainText text={detail} isBlock />
                </pre>
              )}
              <p className="text-xs break-all text-muted">
                <PlainText text={file} />
              </p>
            </li>
          ))}
        </ul>
        <div className="flex justify-end gap-2">
          <Button onClick={onCancel}>Do not start</Button>
          <Button onClick={() => onTrust(folder.digest)}>Trust it and start</Button>
        </div>
      </Dialog>
    </AsItIs>
  );
}
