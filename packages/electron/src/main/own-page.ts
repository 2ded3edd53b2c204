// Whether an address is a page of the app itself. Everything that a window may show and that may speak to the main process goes by this.

import { TailraceError } from '@tailrace/runner';

/** The pages of an app: a file as its whole address, a site or a scheme of the app's own by its origin. */
export type Pages = string | readonly string[];

/**
 * A file is one page, whatever stands behind `?` and `#`; an address with a host stands for all pages there. Nothing else counts:
 * `about:`, `data:`, `blob:` and their like have no place of their own.
 */
export function isOwnPage(address: string, pages: Pages): boolean {
  const place = placeOf(address);
  return place !== undefined && [pages].flat().some((page) => placeOf(page) === place);
}

/** Throws where no page could ever be one of the app's: whoever wrote that meant something else. */
export function checkPages(pages: Pages): void {
  const all = [pages].flat();
  const refuse = (fault: string): never => {
    throw new TailraceError(
      'value-refused',
      `pages ${fault}; give the address of your page, such as file:///app/index.html`,
    );
  };
  if (all.length === 0) refuse('names no page');
  for (const page of all)
    if (typeof page !== 'string' || placeOf(page) === undefined)
      refuse(`has ${JSON.stringify(page)}, which is no address of a page`);
}

/** Of a scheme of the app's own Node leaves the host as it is written; the browser does not. */
function placeOf(address: string): string | undefined {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return undefined;
  }
  if (url.protocol === 'file:') return fileOf(url);
  return url.host === '' ? undefined : `${url.protocol}//${url.host.toLowerCase()}`;
}

/**
 * Two spellings of one file are one place: browsers write some characters as they are, and drives in either case. What separates folders
 * has one spelling only.
 */
function fileOf({ host, pathname }: URL): string | undefined {
  try {
    if (/%(?:2f|5c|00)/i.test(pathname)) return undefined;
    const path = decodeURIComponent(pathname).replace(/^\/[a-z]:/, (drive) => drive.toUpperCase());
    return `file://${host}${path}`;
  } catch {
    return undefined;
  }
}
