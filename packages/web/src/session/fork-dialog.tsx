// Goes on from before a prompt in a copy of the session: no file is set back, and the session stays as it is.

import { useClient } from '@tailrace/client/react';
import type { CheckpointInfo, SessionDetail, StartBefore } from '@tailrace/protocol';
import { type ReactElement, useEffect, useState } from 'react';
import { PlainText } from '../text/plain-text.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loading } from '../ui/states.tsx';
import { Composer } from './composer.tsx';
import { useIntent } from './intent.ts';

export interface ForkDialogProps {
  readonly session: SessionDetail;
  readonly checkpoint: CheckpointInfo;
  readonly onClose: () => void;
}

export function ForkDialog({ session, checkpoint, onClose }: ForkDialogProps): ReactElement {
  const client = useClient();
  const { run, error } = useIntent();
  const [before, setBefore] = useState<StartBefore>();
  useEffect(() => {
    let isWanted = true;
    void run(() => client.http.startBefore(session.id, { checkpoint: checkpoint.id })).then(
      (found) => isWanted && setBefore(found),
    );
    return () => {
      isWanted = false;
    };
  }, [client, run, session.id, checkpoint.id]);
  return (
    <Dialog title="Go on from before this prompt" isOpen onClose={onClose} isWide>
      <blockquote className="mb-3 line-clamp-4 border-l-2 border-line pl-3 text-sm break-words whitespace-pre-wrap text-muted">
        <PlainText text={checkpoint.text} isBlock />
      </blockquote>
      {error !== null && (
        <p role="alert" className="text-sm text-bad">
          {error}
        </p>
      )}
      {before === undefined ? (
        error === null && <Loading label="Looking where it goes on from" />
      ) : (
        <div className="space-y-3 text-sm">
          <p>
            A copy of the session goes on from there. The session stays as it is, and so do all files: what was changed
            since stays changed.
          </p>
          <div className="-mx-4">
            <Composer session={session} from={before} label="Message to go on with from there" onSent={onClose} />
          </div>
        </div>
      )}
    </Dialog>
  );
}
