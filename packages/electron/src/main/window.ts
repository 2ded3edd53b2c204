// How a window is made that shows what an agent writes, and what keeps it where it is.

import type { GuardedContents } from '../electron.ts';
import { callSafely } from './call-safely.ts';
import { externalUrl } from './external-url.ts';
import { checkPages, isOwnPage, type Pages } from './own-page.ts';

export interface SafePreferences {
  readonly preload: string;
  readonly contextIsolation: true;
  readonly sandbox: true;
  readonly nodeIntegration: false;
  readonly nodeIntegrationInWorker: false;
  readonly nodeIntegrationInSubFrames: false;
  readonly webSecurity: true;
  readonly allowRunningInsecureContent: false;
  readonly webviewTag: false;
}

/**
 * The `webPreferences` of a window: the page is on its own, in a sandbox, and has nothing of Node.
 *
 * @example
 * new BrowserWindow({ webPreferences: safePreferences(join(import.meta.dirname, 'preload.cjs')) });
 */
export function safePreferences(preload: string): SafePreferences {
  return {
    preload,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
  };
}

export interface GuardOptions {
  readonly pages: Pages;
  /** `(url) => shell.openExternal(url)`; without it nothing is opened. */
  readonly openExternal?: ((url: string) => unknown) | undefined;
  /** Hears of an address that could not be opened. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * A window opens no others and goes nowhere else, and neither do the frames in it. A link that leads out of the app opens in the
 * person's own browser.
 */
export function guardWindow(contents: GuardedContents, { pages, openExternal, onWarning }: GuardOptions): void {
  checkPages(pages);
  function leave(address: string): void {
    const url = externalUrl(address);
    if (url === undefined) return;
    callSafely(
      () => openExternal?.(url),
      // Whoever hears of troubles must not make more of them.
      (fault) => callSafely(() => onWarning?.(`${url} was not opened: ${fault}`)),
    );
  }

  contents.setWindowOpenHandler(({ url }) => {
    leave(url);
    return { action: 'deny' };
  });
  contents.on('will-navigate', (details) => {
    if (isOwnPage(details.url, pages)) return;
    details.preventDefault();
    leave(details.url);
  });
  contents.on('will-frame-navigate', (details) => {
    // Of the page itself Electron tells both.
    if (!details.isMainFrame && !isOfPage(details.url, pages)) details.preventDefault();
  });
  contents.on('will-redirect', (details) => {
    if (isOwnPage(details.url, pages)) return;
    details.preventDefault();
    if (details.isMainFrame) leave(details.url);
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

/** What a frame may show: a page of the app, or what the page itself writes into it. */
function isOfPage(address: string, pages: Pages): boolean {
  return address === 'about:blank' || address === 'about:srcdoc' || isOwnPage(address, pages);
}
