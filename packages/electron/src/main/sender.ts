// Who may call: the page itself, of an open window of the app, while it shows one of the app's own pages.

import type { AppWindow, Frame, InvokeEvent } from '../electron.ts';
import { isOwnPage, type Pages } from './own-page.ts';

export interface SenderOptions {
  readonly windows: () => readonly AppWindow[];
  readonly pages: Pages;
  /** A further word about who may call; all of the app's own pages unless set. */
  readonly allow?: ((frame: Frame) => boolean) | undefined;
}

/** Whatever cannot be found out for certain is a no: a frame that is gone throws at a touch. */
export function mayCall(event: InvokeEvent, { windows, pages, allow }: SenderOptions): boolean {
  try {
    const { sender, senderFrame } = event;
    if (!senderFrame || senderFrame.parent !== null) return false;
    const isOpen = windows().some((window) => !window.isDestroyed() && window.webContents === sender);
    return isOpen && isOwnPage(senderFrame.url, pages) && (allow === undefined || allow(senderFrame) === true);
  } catch {
    return false;
  }
}
