// What is asked of Electron: the parts of its objects that are used here, and no more. Electron's own objects fit; so does a test's.

import type { CallChannel, StreamChannel } from '@tailrace/protocol';

/** A frame of a page. */
export interface Frame {
  readonly url: string;
  /** Nothing: it is the page itself, and not a frame in it. */
  readonly parent: Frame | null;
}

/** A page, as the main process holds it. */
export interface Contents {
  getURL(): string;
  isDestroyed(): boolean;
  // Electron's takes anything; only these are sent.
  send(channel: StreamChannel, message: unknown): void;
}

/** `BrowserWindow`. */
export interface AppWindow {
  readonly webContents: Contents;
  isDestroyed(): boolean;
}

/** What comes with a call. */
export interface InvokeEvent {
  readonly sender: Contents;
  /** Nothing, once the frame is gone or shows another page. */
  readonly senderFrame: Frame | null;
}

/** `ipcMain`. */
export interface IpcMain {
  handle(channel: CallChannel, listener: (event: InvokeEvent, argument: unknown) => Promise<unknown>): void;
  removeHandler(channel: CallChannel): void;
}

/** `ipcRenderer`. */
export interface IpcRenderer {
  invoke(channel: CallChannel, argument?: unknown): Promise<unknown>;
  on(channel: StreamChannel, listener: (event: unknown, message: unknown) => void): unknown;
  removeListener(channel: StreamChannel, listener: (event: unknown, message: unknown) => void): unknown;
}

/** `contextBridge`. */
export interface ContextBridge {
  exposeInMainWorld(name: string, api: unknown): void;
}

/** Somebody wants a frame of a page to show something else. */
export interface FrameNavigation {
  readonly url: string;
  /** It is the page itself, and not a frame in it. */
  readonly isMainFrame: boolean;
  preventDefault(): void;
}

/** A page whose ways out are guarded. */
export interface GuardedContents {
  setWindowOpenHandler(handler: (details: { readonly url: string }) => { action: 'deny' }): void;
  on(event: 'will-navigate', listener: (details: { readonly url: string; preventDefault(): void }) => void): unknown;
  on(event: 'will-frame-navigate', listener: (details: FrameNavigation) => void): unknown;
  on(event: 'will-redirect', listener: (details: FrameNavigation) => void): unknown;
  on(event: 'will-attach-webview', listener: (event: { preventDefault(): void }) => void): unknown;
}
