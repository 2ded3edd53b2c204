// The preload script's side of the bridge: the few calls and the five channels, and nothing else of Electron, reach the page.

import {
  type BridgeReply,
  CALL_CHANNELS,
  type CallName,
  STREAM_CHANNELS,
  type StreamChannel,
  type StreamMessages,
  type TailraceBridge,
} from '@tailrace/protocol';
import type { ContextBridge, IpcRenderer } from '../electron.ts';

export type { ContextBridge, IpcRenderer } from '../electron.ts';

/**
 * Puts a {@link TailraceBridge} on the page's window. A sandboxed preload script is one CommonJS file: bundle it.
 *
 * @example
 * import { contextBridge, ipcRenderer } from 'electron';
 * exposeTailrace(contextBridge, ipcRenderer); // window.tailrace
 */
export function exposeTailrace(contextBridge: ContextBridge, ipcRenderer: IpcRenderer, name = 'tailrace'): void {
  contextBridge.exposeInMainWorld(name, createBridge(ipcRenderer));
}

function createBridge(ipcRenderer: IpcRenderer): TailraceBridge {
  /** The event that comes with a message stays here: it leads to Electron. */
  const hear =
    <C extends StreamChannel>(channel: C) =>
    (listener: (message: StreamMessages[C]) => void): (() => void) => {
      // The main process sends nothing else on this channel.
      const heard = (_event: unknown, message: unknown): void => {
        try {
          listener(message as StreamMessages[C]);
        } catch (error) {
          // Others listen too.
          // biome-ignore lint/suspicious/noConsole: where the page's own faults are looked for.
          console.error(`a listener of ${channel} failed:`, error);
        }
      };
      ipcRenderer.on(channel, heard);
      return () => void ipcRenderer.removeListener(channel, heard);
    };

  const call =
    <N extends CallName>(name: N) =>
    async (argument?: unknown) => {
      const reply = (await ipcRenderer.invoke(CALL_CHANNELS[name], argument).catch(fail)) as BridgeReply<N>;
      if (!reply.ok) throw new Error(reply.message);
      return reply.value;
    };

  return {
    onStreamInit: hear(STREAM_CHANNELS.init),
    onStreamChunk: hear(STREAM_CHANNELS.chunk),
    onStreamTool: hear(STREAM_CHANNELS.tool),
    onStreamEnd: hear(STREAM_CHANNELS.end),
    onStreamEvent: hear(STREAM_CHANNELS.event),
    start: call('start'),
    send: call('send'),
    answer: call('answer'),
    interrupt: call('interrupt'),
    stop: call('stop'),
    runs: () => call('runs')(),
    checkpoints: call('checkpoints'),
    previewRewind: call('previewRewind'),
    rewind: call('rewind'),
    openExternal: call('openExternal'),
  };
}

/** The main process replies to every call it takes: it takes none before it is ready, and none when it is about to end. */
function fail(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes('No handler registered'))
    throw new Error('the app takes no calls: it is about to end, or has not begun to');
  throw new Error(`the call could not be sent to the app: ${message}`);
}
