// The run of the session that is looked at: interrupting what it does, and stopping it for good.

import { useClient } from '@tailrace/client/react';
import { sentenceOf } from '@tailrace/client/timeline';
import type { Command, SessionInfo } from '@tailrace/protocol';
import { useNotes } from '../screen.tsx';

export interface RunControl {
  interrupt(): void;
  /** Asks once. */
  stop(): void;
}

const SURE = 'Really stop it? X once more.';

export function useRun({ live }: Pick<SessionInfo, 'live'>): RunControl {
  const client = useClient();
  const { note, tell, tellForNow } = useNotes();
  const run = live !== null && live.state !== 'ended' ? live : undefined;
  const runId = run?.isOurs ? run.runId : undefined;

  function ask(action: 'interrupt' | 'stop', done: string): void {
    if (runId === undefined) return;
    const command: Command = { action, runId };
    client.command(command).then(
      () => tellForNow(done),
      (error: unknown) => tell(sentenceOf(error)),
    );
  }

  /** Whether there is something to be asked of it; else it is told why not. */
  function isReady(): boolean {
    if (runId === undefined)
      tellForNow(run ? 'It runs in a terminal of its own. Interrupt it there.' : 'It is over: nothing runs.');
    return runId !== undefined;
  }

  return {
    interrupt() {
      if (isReady()) ask('interrupt', 'It was told to leave what it does.');
    },
    stop() {
      if (!isReady()) return;
      // It counts while it is on the screen.
      if (note === SURE) return ask('stop', 'It was told to end.');
      tellForNow(SURE);
    },
  };
}
