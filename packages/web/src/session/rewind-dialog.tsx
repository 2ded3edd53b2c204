// Goes back to before a prompt, in three steps: what that would do, doing it, and going on from there.

import { useClient } from '@tailrace/client/react';
import type { CheckpointInfo, RewindPreviewReply, RewindReply, SessionDetail } from '@tailrace/protocol';
import { type ReactElement, useEffect, useState } from 'react';
import { PlainText } from '../text/plain-text.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loading } from '../ui/states.tsx';
import { Composer } from './composer.tsx';
import { useIntent } from './intent.ts';
import { TrustDialog } from './trust-dialog.tsx';

export interface RewindDialogProps {
  readonly session: SessionDetail;
  readonly checkpoint: CheckpointInfo;
  readonly onClose: () => void;
}

export function RewindDialog({ session, checkpoint, onClose }: RewindDialogProps): ReactElement {
  const client = useClient();
  const look = useIntent();
  const back = useIntent();
  const [trust, setTrust] = useState<string>();
  const [preview, setPreview] = useState<RewindPreviewReply>();
  const [done, setDone] = useState<RewindReply>();
  const { run: runLook } = look;
  const body = { checkpoint: checkpoint.id, ...(trust !== undefined && { trust }) };
  const { id } = session;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the body is made of what is named
  useEffect(() => {
    let isWanted = true;
    void runLook(() => client.http.previewRewind(id, body)).then((found) => isWanted && setPreview(found));
    return () => {
      isWanted = false;
    };
  }, [client, id, checkpoint.id, trust, runLook]);

  if (look.folder) return <TrustDialog folder={look.folder} onCancel={onClose} onTrust={setTrust} />;
  const error = look.error ?? back.error;
  return (
    <Dialog title="Rewind to before this prompt" isOpen onClose={onClose} isWide>
      <blockquote className="mb-3 line-clamp-4 border-l-2 border-line pl-3 text-sm break-words whitespace-pre-wrap text-muted">
        <PlainText text={checkpoint.text} isBlock />
      </blockquote>
      {error && (
        <p role="alert" className="mb-3 text-sm text-bad">
          {error}
        </p>
      )}
      {done ? (
        <GoOn session={session} done={done} onClose={onClose} />
      ) : preview ? (
        <>
          <Preview preview={preview} />
          <div className="mt-4 flex justify-end gap-2">
            <Button onClick={onClose}>Leave it as it is</Button>
            <Button
              kind="danger"
              disabled={back.isBusy}
              onClick={() =>
                void back
                  .run(() => client.http.rewind(id, { ...body, digest: preview.digest }))
                  .then((reply) => reply && setDone(reply))
              }
            >
              {back.isBusy
                ? 'Going back…'
                : preview.files.length > 0
                  ? filesWord('Set back', preview.files.length)
                  : 'Go back'}
            </Button>
          </div>
        </>
      ) : error ? (
        <div className="flex justify-end">
          <Button onClick={onClose}>Close</Button>
        </div>
      ) : (
        <Loading label="Looking at what would be set back" />
      )}
    </Dialog>
  );
}

function Preview({ preview }: { readonly preview: RewindPreviewReply }): ReactElement {
  const { files, left, unwatched, linesAdded, linesRemoved } = preview;
  return (
    <div className="space-y-3 text-sm">
      {files.length === 0 ? (
        <p>No file has to be set back. The conversation goes on from before this prompt.</p>
      ) : (
        <section>
          <h3 className="font-medium">
            {filesWord('Set back', files.length)}
            {linesAdded !== undefined && linesRemoved !== undefined && (
              <span className="figures ml-2 font-normal text-muted">
                +{linesAdded} −{linesRemoved}
              </span>
            )}
          </h3>
          <ul className="mt-1 max-h-60 overflow-y-auto">
            {files.map(({ path, action, isOverwritten }) => (
              <li key={path} className="flex gap-2">
                <span className="min-w-0 break-all">
                  <PlainText text={path} />
                </span>
                <span className="ml-auto shrink-0 text-muted">{ACTIONS[action]}</span>
                {isOverwritten && <span className="shrink-0 text-bad">somebody changed it since: that is lost</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {left.length > 0 && (
        <section>
          <h3 className="font-medium">Stays as it is: the agent has no copy</h3>
          <ul className="mt-1 max-h-40 overflow-y-auto">
            {left.map(({ path, isPartly, calls }) => (
              <li key={path} className="break-all">
                <PlainText text={path} />
                <span className="text-muted">
                  {isPartly && ' · only partly set back'}
                  {calls[0]?.title !== undefined && (
                    <>
                      {' · changed by '}
                      <PlainText text={calls[0].title} />
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {unwatched.length > 0 && (
        <p className="text-muted">
          {unwatched.length} {unwatched.length === 1 ? 'command ran' : 'commands ran'} since while nobody watched the
          files. What they changed stays.
        </p>
      )}
    </div>
  );
}

function GoOn({
  session,
  done,
  onClose,
}: {
  readonly session: SessionDetail;
  readonly done: RewindReply;
  readonly onClose: () => void;
}): ReactElement {
  return (
    <div className="space-y-3 text-sm">
      <p role="status">{filesWord('It is done. Set back', done.files.length - done.failed.length)}.</p>
      {done.failed.length > 0 && (
        <div className="text-bad">
          <p>These could not be set back:</p>
          <ul>
            {done.failed.map((path) => (
              <li key={path} className="break-all">
                <PlainText text={path} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="-mx-4">
        <Composer session={session} from={done.next} label="Message to go on with from there" onSent={onClose} />
      </div>
      <div className="flex justify-end">
        <Button onClick={onClose}>Close</Button>
      </div>
    </div>
  );
}

const ACTIONS = { change: 'changed back', remove: 'removed', restore: 'brought back' } as const;

function filesWord(verb: string, count: number): string {
  return `${verb} ${count === 0 ? 'nothing' : count === 1 ? '1 file' : `${count} files`}`;
}
