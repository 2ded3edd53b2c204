import { useClient } from '@tailrace/client/react';
import { revealHidden } from '@tailrace/core';
import type { CheckpointInfo, SessionDetail } from '@tailrace/protocol';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { PlainText } from '../text/plain-text.tsx';
import { useShown } from '../text/shown.tsx';
import { Button } from '../ui/button.tsx';
import { Time } from '../ui/figures.tsx';
import { ForkDialog } from './fork-dialog.tsx';
import { Panel } from './panel.tsx';
import { RewindDialog } from './rewind-dialog.tsx';
import { sessionKey } from './use-session.ts';

/** The prompts that the session can be taken back to. */
export function CheckpointsPanel({ session }: { readonly session: SessionDetail }): ReactElement {
  const client = useClient();
  const shown = useShown();
  const [chosen, setChosen] = useState<{ readonly checkpoint: CheckpointInfo; readonly isFork: boolean } | null>(null);
  const { data, isError } = useQuery({
    queryKey: [...sessionKey(session.id), 'checkpoints'],
    queryFn: ({ signal }) => client.http.checkpoints(session.id, { limit: 100 }, { signal }),
  });
  const checkpoints = data?.items ?? [];
  const isRunning = session.live !== null && session.live.state !== 'ended';
  return (
    <Panel
      name="checkpoints"
      title="Checkpoints"
      figure={checkpoints.length > 0 && <span className="figures">{checkpoints.length}</span>}
    >
      {checkpoints.length === 0 ? (
        <p className="text-sm text-muted">{isError ? 'They could not be loaded.' : 'There is none to go back to.'}</p>
      ) : (
        <ul className="mt-1 space-y-0.5 text-sm">
          {checkpoints.map((checkpoint) => (
            <li key={checkpoint.id} className="flex items-baseline gap-2">
              {checkpoint.at !== null && (
                <span className="text-xs text-muted">
                  <Time at={checkpoint.at} />
                </span>
              )}
              <span className="min-w-0 flex-1 truncate" title={revealHidden(shown(checkpoint.text))}>
                <PlainText text={checkpoint.text} />
              </span>
              <Button
                kind="quiet"
                size="sm"
                disabled={isRunning}
                title={isRunning ? 'It can be taken back when its run has ended' : undefined}
                aria-label={`rewind… to before: ${shown(checkpoint.text).slice(0, 80)}`}
                onClick={() => setChosen({ checkpoint, isFork: false })}
              >
                rewind…
              </Button>
              <Button
                kind="quiet"
                size="sm"
                disabled={isRunning}
                title={isRunning ? 'A copy can go on from here when its run has ended' : undefined}
                aria-label={`fork… from before: ${shown(checkpoint.text).slice(0, 80)}`}
                onClick={() => setChosen({ checkpoint, isFork: true })}
              >
                fork…
              </Button>
            </li>
          ))}
        </ul>
      )}
      {chosen &&
        (chosen.isFork ? (
          <ForkDialog session={session} checkpoint={chosen.checkpoint} onClose={() => setChosen(null)} />
        ) : (
          <RewindDialog session={session} checkpoint={chosen.checkpoint} onClose={() => setChosen(null)} />
        ))}
    </Panel>
  );
}
