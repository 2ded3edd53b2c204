// A page that was built into a folder: one document for every address of its own, and the files that it asks for.

import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { PageFile } from '../http/context.ts';

/** Names in here change with what is in them: whoever has such a file never needs to ask again. */
const ASSETS = '/assets/';
const FOR_EVER = 'public, max-age=31536000, immutable';
const DOCUMENT = '/index.html';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/**
 * The page in a folder, for `startServer`. Only files that are there now exist: an address is looked up among their names and never becomes
 * a path. An address that is no file gets `index.html`, so that a place in the page can be loaded anew.
 *
 * @example
 * const server = await startServer({ store, folder, version, onCode, page: pageFrom('dist/page') });
 */
export function pageFrom(folder: string): (path: string) => PageFile | undefined {
  const names = new Map(filesIn(folder).map((file) => [addressOf(folder, file), file]));
  if (!names.has(DOCUMENT)) throw new Error(`there is no page in ${folder}: it has no index.html`);
  const known = new Map<string, PageFile>();

  function read(path: string): PageFile | undefined {
    const file = names.get(path);
    if (file === undefined) return undefined;
    const made = known.get(path) ?? load(path, file);
    if (made) known.set(path, made);
    return made;
  }

  return (path) => read(path) ?? (isPlace(path) ? read(DOCUMENT) : undefined);
}

function filesIn(folder: string): readonly string[] {
  return (
    readdirSync(folder, { withFileTypes: true, recursive: true })
      // No links: they could lead anywhere.
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  );
}

function addressOf(folder: string, file: string): string {
  return `/${relative(folder, file).split(sep).join('/')}`;
}

function load(path: string, file: string): PageFile | undefined {
  try {
    const type = TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream';
    return { body: readFileSync(file), type, ...(path.startsWith(ASSETS) && { cacheControl: FOR_EVER }) };
  } catch {
    // Somebody has taken it away since: an update, most likely.
    return undefined;
  }
}

/** A place in the page, not a file and none of the server's own addresses. */
function isPlace(path: string): boolean {
  if (path === '/ws' || path.startsWith('/api')) return false;
  return !path.slice(path.lastIndexOf('/')).includes('.');
}
