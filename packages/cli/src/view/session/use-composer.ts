// Says something to the session that is looked at: to the run that goes on, or by a new run that goes on with it.

import { useClient } from '@tailrace/client/react';
import { composerMode, sayCommand, sessionOfRun } from '@tailrace/client/timeline';
import type { FolderBrings, SessionInfo } from '@tailrace/protocol';
import { useState } from 'react';
import { useLost } from '../lost-line.tsx';
import { type Size, useNotes } from '../screen.tsx';
import type { Line } from '../text/line.ts';
import { useGone } from '../use-gone.ts';
import { useIntent } from '../use-intent.ts';
import { BOX_EDGE, boxLines, boxRows } from '../write/box-lines.ts';
import type { KeptDrafts } from '../write/kept-drafts.ts';
import { useWriter } from '../write/use-writer.ts';

export interface ComposerOptions {
  readonly session: SessionInfo;
  readonly size: Size;
  readonly drafts: KeptDrafts;
  /** The session is in front. */
  readonly isActive: boolean;
  /** What was sent is to be seen. */
  readonly onSent: () => void;
  /** It goes on in another session. */
  readonly onOpen: (sessionId: string) => void;
}

export interface Composer {
  readonly isOpen: boolean;
  /** The box, where it is open. */
  readonly lines: readonly Line[];
  /** What the folder would make the agent run: somebody has to say yes first. */
  readonly folder: FolderBrings | null;
  /** Opens the box, or tells why there is nothing to be said. */
  open(): void;
  trust(digest: string): void;
  refuse(): void;
}

export function useComposer(options: ComposerOptions): Composer {
  const { session, size, drafts, isActive, onSent, onOpen } = options;
  const client = useClient();
  const { tellForNow } = useNotes();
  const isLost = useLost();
  const intent = useIntent();
  const gone = useGone();
  const [isWanted, setState] = useState(() => drafts.isOpen(session.id));
  function setWanted(wanted: boolean): void {
    drafts.setOpen(session.id, wanted);
    setState(wanted);
  }
  const mode = composerMode(session);
  // While it was written, its run may have come to ask something, or to its end.
  const isOpen = isWanted && isActive;
  const { isBusy, error, folder } = intent;

  async function send(text: string, fork: boolean, trust?: string): Promise<void> {
    if (text.trim() === '' || isBusy) return;
    if (mode.kind === 'none') return tellForNow(mode.reason);
    const sent = await intent.run(async (commandId) => {
      const from = { resume: session.id, ...(fork && { fork }), ...(trust !== undefined && { trust }) };
      const { runId, sessionId } = await client.command(sayCommand(mode, text.trimEnd(), from), { commandId });
      if (mode.kind === 'send') return { sessionId: session.id };
      // A copy has an id of its own, which its agent tells.
      return { sessionId: sessionId ?? (fork ? await sessionOfRun(client, runId, { signal: gone }) : session.id) };
    });
    if (!sent || gone.aborted) return;
    writer.write('');
    setWanted(false);
    onSent();
    if (sent.sessionId !== undefined && sent.sessionId !== session.id) onOpen(sent.sessionId);
  }

  const [isFork, setFork] = useState(false);
  const writer = useWriter({
    isActive: isOpen && folder === null,
    initial: drafts.of(session.id),
    onDraft: (draft) => drafts.keep(session.id, draft),
    columns: size.columns - BOX_EDGE,
    rows: boxRows(size.rows),
    take(key, text) {
      if (key !== '<ctrl-o>' || mode.kind !== 'start') return false;
      setFork(true);
      void send(text, true);
      return true;
    },
    onSend(text) {
      setFork(false);
      void send(text, false);
    },
    onLeave: () => setWanted(false),
  });

  return {
    isOpen,
    folder: isOpen ? folder : null,
    lines: isOpen
      ? boxLines(writer, {
          title: mode.kind === 'start' ? 'go on with it' : 'message',
          keys: [
            ['Enter', mode.kind === 'start' ? 'resumes' : 'sends'],
            ['Esc', 'leaves'],
            ['Alt-Enter', 'next line'],
            ...(mode.kind === 'start' ? [['Ctrl-O', 'in a copy'] as const] : []),
          ],
          width: size.columns,
          isBusy,
          isLost,
          problem: error ?? (mode.kind === 'none' ? mode.reason : null),
        })
      : [],
    open() {
      if (mode.kind === 'none') return tellForNow(mode.reason);
      intent.clear();
      setWanted(true);
    },
    trust: (digest) => void send(writer.text, isFork, digest),
    refuse: intent.clear,
  };
}
