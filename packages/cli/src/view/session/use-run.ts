// The run of the session that is looked at: interrupting what it does, and stopping it for good.

import { useClient } from '@tailrace/client/react';
import { sentenceOf } from '@tailrace/client/timeline';
import type { Command, SessionInfo } from '@tailrace/protocol';
import { useRef } from 'react';
import { useNotes } from '../screen.tsx';

export interface RunControl {
  interrupt(): void;
  /** Asks once. */
  stop(): void;
  /** Another key was pressed: what was asked is asked anew. */
  forget(): void;
}

export function useRun({ live }: Pick<SessionInfo, 'live'>): RunControl {
  const client = useClient();
  const { tell } = useNotes();
  const isAsked = useRef(false);
  const run = live !== null && live.state !== 'ended' ? live : undefined;
  const runId = run?.isOurs ? run.runId : undefined;

  function ask(action: 'interrupt' | 'stop', done: string): void {
    if (runId === undefined) return;
    const command: Command = { action, runId };
    client.command(command).then(
      () => tell(done),
      (error: unknown) => tell(sentenceOf(error)),
    );
  }

  /** Whether there is something to be asked of it; else it is told why not. */
  function isReady(): boolean {
    if (runId === undefined)
      tell(run ? 'It runs in a terminal of its own. Interrupt it there.' : 'It is over: nothing runs.');
    return runId !== undefined;
  }

  return {
    interrupt() {
      if (isReady()) ask('interrupt', 'It was told to leave what it does.');
    },
    stop() {
      if (!isReady()) return;
      if (isAsked.current) {
        isAsked.current = false;
        return ask('stop', 'It was told to end.');
      }
      isAsked.current = true;
      tell('Really stop it? X once more.');
    },
    forget() {
      isAsked.current = false;
    },
  };
}
