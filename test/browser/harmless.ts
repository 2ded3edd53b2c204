/// <reference lib="dom" />
// Watches a page for whatever hostile words could bring about.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export interface Watch {
  /** Nothing has run, nothing was asked for elsewhere, nothing was refused by the policy, and nothing is in the page that may not be. */
  isHarmless(): Promise<void>;
}

/** From before the page's own scripts. */
export async function watchPage(page: Page, url: string): Promise<Watch> {
  const seen: string[] = [];
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => seen.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted|violat/i.test(message.text())) seen.push(`console: ${message.text()}`);
  });
  const isOwn = (address: string): boolean =>
    address.startsWith(`${url}/`) ||
    address.startsWith(`${url.replace('http', 'ws')}/`) ||
    address.startsWith('data:image/');
  page.on('request', (request) => {
    if (!isOwn(request.url())) seen.push(`request: ${request.url()}`);
  });
  page.on('websocket', (socket) => {
    if (!isOwn(socket.url())) seen.push(`socket: ${socket.url()}`);
  });
  page.on('popup', (popup) => seen.push(`window: ${popup.url()}`));
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || !isOwn(frame.url())) seen.push(`frame: ${frame.url()}`);
  });
  await page.addInitScript(listenForViolations);
  await page.addInitScript(defineForbidden);
  return {
    async isHarmless() {
      expect(await page.evaluate('typeof window.ran')).toBe('undefined');
      expect(await page.evaluate('({}).ran === undefined')).toBe(true);
      expect(await page.evaluate('window.violations')).toEqual([]);
      expect(await page.evaluate('window.forbidden()')).toEqual([]);
      expect(seen).toEqual([]);
    },
  };
}

// What follows runs in the page.

function listenForViolations(): void {
  const violations: string[] = [];
  Object.assign(window, { violations });
  document.addEventListener('securitypolicyviolation', (event) =>
    violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
  );
}

function defineForbidden(): void {
  const ELEMENTS =
    'iframe, frame, frameset, object, embed, applet, portal, base, style, video, audio, source, track, math, marquee, main noscript, ' +
    'form[action], [formaction], [srcdoc], [srcset], [poster], [background], svg script, svg a, svg image, svg use, svg animate, ' +
    'svg set, foreignObject, #ran, [name=ran], [contenteditable]';

  function about(element: Element): string {
    return element.outerHTML.slice(0, 200);
  }

  function isOwn(address: string): boolean {
    return new URL(address, location.href).origin === location.origin;
  }

  function isLinkFine(link: HTMLAnchorElement): boolean {
    if (isOwn(link.href)) return link.getAttribute('href')?.startsWith('/') === true || link.hash !== '';
    const isKnown = ['http:', 'https:', 'mailto:'].includes(link.protocol);
    return isKnown && link.rel.includes('noopener') && link.rel.includes('noreferrer');
  }

  function forbidden(): readonly string[] {
    const found = [...document.querySelectorAll(ELEMENTS)].map(about);
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        if (/^on/i.test(name)) found.push(about(element));
        if (name === 'style' && /url\(|expression|@import/i.test(value)) found.push(about(element));
      }
    }
    for (const script of document.scripts) if (!script.src || !isOwn(script.src)) found.push(about(script));
    for (const link of document.querySelectorAll<HTMLLinkElement>('link'))
      if (!isOwn(link.href)) found.push(about(link));
    for (const image of document.images) {
      const isIcon = image.getAttribute('src') === '/icon.svg';
      if (!isIcon && !/^data:image\/(png|jpeg|gif|webp);base64,/.test(image.src)) found.push(about(image));
    }
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href]'))
      if (!isLinkFine(link)) found.push(about(link));
    return found;
  }

  Object.assign(window, { forbidden });
}
