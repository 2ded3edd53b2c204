// Every window hears of every run. A page shows its own: the run that it started.

import type { TailraceBridge } from '@tailrace/electron/renderer';
import { keep, kept } from './kept.ts';

type Ears = Pick<TailraceBridge, 'onStreamInit' | 'onStreamChunk' | 'onStreamTool' | 'onStreamEnd' | 'onStreamEvent'>;

export interface OwnRun extends Ears {
  /** The run that the page started last, be it before it was loaded anew. */
  readonly id: string | undefined;
  /** From now on only of a new run. The id goes into `start`: so it is known whose a message is before the reply comes. */
  begin(): string;
  /** From now on of no run. */
  forget(): void;
}

export function createOwnRun(bridge: Ears): OwnRun {
  let id = kept('run');

  const hear =
    <M extends { readonly runId?: string | undefined }>(on: (listener: (message: M) => void) => () => void) =>
    (listener: (message: M) => void): (() => void) =>
      on((message) => {
        if (id !== undefined && message.runId === id) listener(message);
      });

  return {
    get id() {
      return id;
    },
    onStreamInit: hear(bridge.onStreamInit),
    onStreamChunk: hear(bridge.onStreamChunk),
    onStreamTool: hear(bridge.onStreamTool),
    onStreamEnd: hear(bridge.onStreamEnd),
    onStreamEvent: hear(bridge.onStreamEvent),
    begin() {
      id = crypto.randomUUID();
      keep('run', id);
      return id;
    },
    forget() {
      id = undefined;
      keep('run', id);
    },
  };
}
