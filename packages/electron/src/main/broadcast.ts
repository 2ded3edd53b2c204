// To every open window that shows a page of the app.

import type { StreamMessage } from '@tailrace/protocol';
import type { AppWindow } from '../electron.ts';
import { callSafely } from './call-safely.ts';
import { isOwnPage, type Pages } from './own-page.ts';

export interface BroadcastOptions {
  /** `() => BrowserWindow.getAllWindows()`. */
  readonly windows: () => readonly AppWindow[];
  /** The addresses of the app's own pages; a window that shows another one hears nothing. */
  readonly pages: Pages;
  /** Hears of a window that could not be told. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** A window that is gone, is going, or shows something foreign harms none of the others. */
export function createBroadcast({ windows, pages, onWarning }: BroadcastOptions): (...message: StreamMessage) => void {
  const warn = (what: string, error: unknown): void =>
    callSafely(() => onWarning?.(`${what}: ${error instanceof Error ? error.message : String(error)}`));

  function openWindows(): readonly AppWindow[] {
    try {
      return windows();
    } catch (error) {
      warn('no window was told anything', error);
      return [];
    }
  }

  return (channel, message) => {
    for (const window of openWindows()) {
      try {
        if (window.isDestroyed() || window.webContents.isDestroyed()) continue;
        if (isOwnPage(window.webContents.getURL(), pages)) window.webContents.send(channel, message);
      } catch (error) {
        warn(`a window was not told ${channel}`, error);
      }
    }
  };
}
