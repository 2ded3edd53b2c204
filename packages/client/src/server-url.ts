// Where the server is. A page speaks to its own server and to no other, whatever its address says.

import { ClientError } from './errors.ts';

/** The server's origin; in a browser that of the page, unless one is given. */
export function serverUrl(given: string | undefined): URL {
  const text = given ?? globalThis.location?.origin;
  if (text === undefined || text === 'null')
    throw refuse('there is no page here whose server could be meant: give a url');
  const url = parse(text);
  if (!url) throw refuse('the url of the server is not one');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refuse('the url of the server begins with http or https');
  // Addresses are written to logs: nothing in them may open anything.
  if (url.username || url.password || url.search || url.hash || url.pathname !== '/')
    throw refuse('the url of the server has nothing but its name and port');
  return url;
}

/** Where its socket is. */
export function socketUrl(server: URL): string {
  const url = new URL('/ws', server);
  url.protocol = server.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/** An address of this server. One that leads elsewhere is refused: a token goes with every request. */
export function addressOf(server: URL, path: string): URL {
  const url = parse(path, server);
  if (!url || !path.startsWith('/') || url.origin !== server.origin) throw refuse('this is no address of the server');
  return url;
}

function parse(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

function refuse(why: string): ClientError {
  return new ClientError('bad-request', why);
}
