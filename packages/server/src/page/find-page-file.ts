import type { PageFile } from '../http/context.ts';
import { PAGE_CSS, PAGE_HTML, PAGE_JS } from './page-text.ts';

const files: ReadonlyMap<string, PageFile> = new Map([
  ['/', { body: Buffer.from(PAGE_HTML), type: 'text/html; charset=utf-8' }],
  ['/page.css', { body: Buffer.from(PAGE_CSS), type: 'text/css; charset=utf-8' }],
  ['/page.js', { body: Buffer.from(PAGE_JS), type: 'text/javascript; charset=utf-8' }],
]);

/** A file of the plain page. */
export function findPageFile(path: string): PageFile | undefined {
  return files.get(path);
}
