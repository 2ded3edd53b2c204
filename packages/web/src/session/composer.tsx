// Says something to a session: to the run that goes on, or by a new run that goes on with it.

import { useClient } from '@tailrace/client/react';
import { composerMode, type GoOnFrom, sayCommand, sessionOfRun } from '@tailrace/client/timeline';
import type { SessionInfo } from '@tailrace/protocol';
import { useNavigate } from '@tanstack/react-router';
import { CornerDownLeft, GitFork } from 'lucide-react';
import { type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { keepUnsent, unsentOf } from '../ui/unsent.ts';
import { useIntent } from './intent.ts';
import { TrustDialog } from './trust-dialog.tsx';

export interface ComposerProps {
  readonly session: SessionInfo;
  /** Goes on from somewhere else than the end, once. */
  readonly from?: GoOnFrom | undefined;
  readonly label?: string;
  readonly onSent?: () => void;
}

export function Composer({ session, from, label, onSent }: ComposerProps): ReactElement {
  const client = useClient();
  const navigate = useNavigate();
  const intent = useIntent();
  // What goes on from elsewhere is said once, where it was asked for.
  const isKept = from === undefined;
  const [text, setText] = useState(() => (isKept ? unsentOf(session.id) : ''));
  const [wish, setWish] = useState<GoOnFrom>({});
  const gone = useGone();
  const hint = useId();
  const mode = composerMode(session);
  const isEmpty = text.trim() === '';

  const keep = (wanted: string): void => {
    if (isKept) keepUnsent(session.id, wanted);
  };

  async function send(wanted: GoOnFrom, trust?: string): Promise<void> {
    if (isEmpty || intent.isBusy || mode.kind === 'none') return;
    setWish(wanted);
    // Whoever comes back while it is on its way must not send it again.
    keep('');
    const sent = await intent.run(async (commandId) => {
      const { runId, sessionId } = await client.command(
        sayCommand(mode, text, { ...wanted, ...(trust !== undefined && { trust }) }),
        { commandId },
      );
      if (mode.kind === 'send') return { sessionId: undefined };
      // A copy has an id of its own, which its agent tells.
      return { sessionId: sessionId ?? (wanted.fork ? await sessionOfRun(client, runId, gone) : undefined) };
    });
    if (!sent) return keep(text);
    // Whoever has gone elsewhere meanwhile stays there.
    if (gone.signal.aborted) return;
    setText('');
    onSent?.();
    const { sessionId } = sent;
    if (sessionId !== undefined && sessionId !== session.id)
      await navigate({ to: '/sessions/$sessionId', params: { sessionId } });
  }

  const resume = from ?? { resume: session.id };
  const placeholder = mode.kind === 'send' ? 'Send a message…' : mode.kind === 'start' ? 'Go on…' : mode.reason;
  return (
    <form
      className="border-t border-line bg-surface px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        void send(mode.kind === 'start' ? resume : {});
      }}
    >
      <div className="mx-auto flex w-full max-w-[788px] flex-col gap-2">
        <div className="flex items-end gap-2">
          <textarea
            rows={1}
            value={text}
            disabled={mode.kind === 'none'}
            placeholder={placeholder}
            aria-label={label ?? (mode.kind === 'send' ? 'Message to the agent' : 'Message to go on with')}
            aria-describedby={hint}
            onChange={(event) => {
              setText(event.target.value);
              keep(event.target.value);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Escape') return event.currentTarget.blur();
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
            className="field-sizing-content max-h-48 min-h-9 min-w-0 flex-1 resize-none rounded-md border border-line bg-raised px-3 py-[7px] text-base placeholder:text-muted disabled:bg-sunken"
          />
          {mode.kind === 'start' && from === undefined && (
            <Button
              disabled={isEmpty || intent.isBusy}
              title="Goes on in a copy; this session stays as it is"
              onClick={() => void send({ resume: session.id, fork: true })}
            >
              <GitFork className="size-3.5" />
              <span className="max-sm:sr-only">Fork</span>
            </Button>
          )}
          <Button kind="primary" type="submit" disabled={isEmpty || intent.isBusy || mode.kind === 'none'}>
            {intent.isBusy ? 'Sending…' : mode.kind === 'start' ? 'Resume' : 'Send'}
            <CornerDownLeft className="size-3.5" />
          </Button>
        </div>
        <p id={hint} className="sr-only">
          Enter sends, Shift and Enter begins a new line.
        </p>
        {mode.kind === 'none' && <p className="sr-only">{mode.reason}</p>}
        {intent.error && (
          <p role="alert" className="text-sm text-bad">
            {intent.error}
          </p>
        )}
      </div>
      {intent.folder && (
        <TrustDialog folder={intent.folder} onCancel={intent.clear} onTrust={(digest) => void send(wish, digest)} />
      )}
    </form>
  );
}

/** Aborted when the component has gone. */
function useGone(): AbortController {
  const gone = useRef(new AbortController());
  useEffect(() => {
    // It may come again.
    if (gone.current.signal.aborted) gone.current = new AbortController();
    return () => gone.current.abort();
  }, []);
  return gone.current;
}
