// Every window hears of every run. A page shows its own: the run that it started.

import type { TailraceBridge } from '@tailrace/electron/renderer';

type Ears = Pick<TailraceBridge, 'onStreamInit' | 'onStreamChunk' | 'onStreamTool' | 'onStreamEnd' | 'onStreamEvent'>;

export interface OwnRun extends Ears {
  /** The run that the page started before it was loaded anew, if it did. */
  readonly before: string | null;
  /** A run is about to start: what comes now is kept until it is known whose it is. */
  hold(): void;
  /** From now on only of this run; of none, if it did not start. */
  follow(runId: string | undefined): void;
}

/** A window's own place, which outlives a page that is loaded anew. */
const KEY = 'run';

export function createOwnRun(bridge: Ears): OwnRun {
  const before = sessionStorage.getItem(KEY);
  let own = before ?? undefined;
  let isHolding = false;
  let held: (() => void)[] = [];

  const hear =
    <M extends { readonly runId?: string | undefined }>(on: (listener: (message: M) => void) => () => void) =>
    (listener: (message: M) => void): (() => void) =>
      on((message) => {
        const tell = (): void => {
          if (own !== undefined && message.runId === own) listener(message);
        };
        if (isHolding) held.push(tell);
        else tell();
      });

  return {
    before,
    onStreamInit: hear(bridge.onStreamInit),
    onStreamChunk: hear(bridge.onStreamChunk),
    onStreamTool: hear(bridge.onStreamTool),
    onStreamEnd: hear(bridge.onStreamEnd),
    onStreamEvent: hear(bridge.onStreamEvent),
    hold() {
      isHolding = true;
    },
    follow(runId) {
      own = runId;
      if (runId !== undefined) sessionStorage.setItem(KEY, runId);
      isHolding = false;
      const late = held;
      held = [];
      for (const tell of late) tell();
    },
  };
}
