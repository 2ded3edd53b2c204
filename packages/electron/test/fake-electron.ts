// A pair of Electron's two sides: whatever goes from one to the other is cloned as Electron clones it, so what cannot travel fails.

import { EventEmitter } from 'node:events';
import type { CallChannel, StreamChannel, StreamMessage, StreamMessages, TailraceBridge } from '@tailrace/protocol';
import type { AppWindow, Contents, Frame, InvokeEvent, IpcMain } from '../src/main/index.ts';
import { type ContextBridge, exposeTailrace, type IpcRenderer } from '../src/preload/index.ts';

export const PAGE = 'file:///opt/app/index.html';

type Handler = (event: InvokeEvent, argument: unknown) => Promise<unknown>;

export class FakeMain implements IpcMain {
  readonly handlers: Map<string, Handler> = new Map();

  handle(channel: CallChannel, listener: Handler): void {
    if (this.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.handlers.set(channel, listener);
  }

  removeHandler(channel: CallChannel): void {
    this.handlers.delete(channel);
  }

  async invoke(event: InvokeEvent, channel: string, argument: unknown): Promise<unknown> {
    const handler = this.handlers.get(channel);
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    return structuredClone(await handler(event, structuredClone(argument)));
  }
}

/** A window with its page: the main process's half and the page's half. */
export class FakeWindow implements AppWindow {
  readonly messages: StreamMessage[] = [];
  readonly bridge: TailraceBridge;
  /** What the page's world got, by name. */
  readonly world: Map<string, unknown> = new Map();
  readonly webContents: Contents;
  readonly renderer: IpcRenderer & EventEmitter;
  url: string;
  frame: Frame | null;
  isGone = false;

  constructor(main: FakeMain, url: string = PAGE) {
    this.url = url;
    this.frame = { url, parent: null };
    const ears = new EventEmitter();
    this.webContents = {
      getURL: () => this.url,
      isDestroyed: () => this.isGone,
      send: (channel: StreamChannel, message: unknown) => {
        if (this.isGone) throw new Error('Object has been destroyed');
        const clone = structuredClone(message);
        // The two are from one call, so they belong together.
        this.messages.push([channel, clone] as StreamMessage);
        ears.emit(channel, { sender: 'of Electron' }, clone);
      },
    };
    this.renderer = Object.assign(ears, {
      invoke: (channel: CallChannel, argument?: unknown) =>
        main.invoke({ sender: this.webContents, senderFrame: this.frame }, channel, argument),
    });
    const contextBridge: ContextBridge = {
      exposeInMainWorld: (name, api) => this.world.set(name, crossing(api)),
    };
    exposeTailrace(contextBridge, this.renderer);
    this.bridge = this.world.get('tailrace') as TailraceBridge;
  }

  isDestroyed(): boolean {
    return this.isGone;
  }

  /** What came over a channel. */
  on<C extends StreamChannel>(channel: C): readonly StreamMessages[C][] {
    // The two belong together.
    return this.messages.filter(([one]) => one === channel).map(([, message]) => message as StreamMessages[C]);
  }
}

/** As `contextBridge` lets things through: functions as copies that clone what goes in and out, of errors only the message. */
function crossing(value: unknown): unknown {
  if (typeof value === 'function') {
    return (...words: unknown[]) => {
      const heard = words.map((word) => (typeof word === 'function' ? crossing(word) : structuredClone(word)));
      const given: unknown = value(...heard);
      if (!(given instanceof Promise)) return crossing(given);
      return given.then(crossing, (error: Error) => Promise.reject(new Error(error.message)));
    };
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (!entries.some(([, one]) => typeof one === 'function')) return structuredClone(value);
  return Object.fromEntries(entries.map(([name, one]) => [name, crossing(one)]));
}
