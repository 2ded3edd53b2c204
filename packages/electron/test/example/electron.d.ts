// The part of Electron 41.7.1 that examples/electron-chat and the README of @tailrace/electron use, as far as they use it: their types
// are checked where Electron is not installed.

declare module 'electron' {
  interface WebFrameMain {
    readonly url: string;
    readonly parent: WebFrameMain | null;
  }

  interface FrameNavigation {
    readonly url: string;
    readonly isMainFrame: boolean;
    preventDefault(): void;
  }

  interface WebContents {
    getURL(): string;
    isDestroyed(): boolean;
    send(channel: string, ...words: unknown[]): void;
    setWindowOpenHandler(
      handler: (details: { readonly url: string }) => { action: 'deny' } | { action: 'allow' },
    ): void;
    on(event: 'did-finish-load', listener: () => void): this;
    on(event: 'will-navigate', listener: (details: { readonly url: string; preventDefault(): void }) => void): this;
    on(event: 'will-frame-navigate', listener: (details: FrameNavigation) => void): this;
    on(event: 'will-redirect', listener: (details: FrameNavigation) => void): this;
    on(event: 'will-attach-webview', listener: (event: { preventDefault(): void }) => void): this;
  }

  interface WebPreferences {
    preload?: string;
    contextIsolation?: boolean;
    sandbox?: boolean;
    nodeIntegration?: boolean;
    nodeIntegrationInWorker?: boolean;
    nodeIntegrationInSubFrames?: boolean;
    webSecurity?: boolean;
    allowRunningInsecureContent?: boolean;
    webviewTag?: boolean;
  }

  class BrowserWindow {
    constructor(options?: { width?: number; height?: number; webPreferences?: WebPreferences });
    static getAllWindows(): BrowserWindow[];
    readonly webContents: WebContents;
    isDestroyed(): boolean;
    loadFile(path: string): Promise<void>;
  }

  interface IpcMainInvokeEvent {
    readonly sender: WebContents;
    readonly senderFrame: WebFrameMain | null;
  }

  const app: {
    whenReady(): Promise<void>;
    quit(): void;
    getPath(name: 'home' | 'appData' | 'userData' | 'temp' | 'desktop' | 'documents' | 'downloads'): string;
    on(event: 'window-all-closed', listener: () => void): void;
    on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): void;
  };

  const dialog: {
    showOpenDialog(options: {
      title?: string;
      properties?: ('openDirectory' | 'openFile')[];
    }): Promise<{ canceled: boolean; filePaths: string[] }>;
    showMessageBox(options: {
      type?: 'none' | 'info' | 'error' | 'question' | 'warning';
      message: string;
      detail?: string;
      buttons?: string[];
      defaultId?: number;
      cancelId?: number;
    }): Promise<{ response: number }>;
  };

  const shell: { openExternal(url: string): Promise<void> };

  const ipcMain: {
    handle(channel: string, listener: (event: IpcMainInvokeEvent, ...words: unknown[]) => unknown): void;
    removeHandler(channel: string): void;
  };

  const ipcRenderer: {
    invoke(channel: string, ...words: unknown[]): Promise<unknown>;
    on(channel: string, listener: (event: unknown, ...words: unknown[]) => void): void;
    removeListener(channel: string, listener: (...words: unknown[]) => void): void;
  };

  const contextBridge: { exposeInMainWorld(name: string, api: unknown): void };

  export { app, BrowserWindow, contextBridge, dialog, ipcMain, ipcRenderer, shell };
}
