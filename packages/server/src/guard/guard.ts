// The one guard before everything: requests and upgrades pass it before anybody looks at where they want to go.

import type { IncomingHttpHeaders } from 'node:http';
import { createProblem, KEY_HEADER, keyInProtocols, type Problem } from '@tailrace/protocol';
import type { SignIns } from './sign-ins.ts';

/** What somebody may do. A person who is signed in may do everything; a program only what was ticked. */
export const RIGHTS = ['read', 'run', 'answer'] as const;
export type Right = (typeof RIGHTS)[number];

/** Who asks. */
export interface Caller {
  readonly kind: 'person' | 'program' | 'host';
  /** For the audit log, and for limits of one caller. */
  readonly id: string;
  readonly rights: ReadonlySet<Right>;
}

/** A request as it stands on the wire. */
export interface Knock {
  readonly method: string;
  /** The target of the request line, as it came. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** All headers as they came: a name that comes twice may not be read in two ways. */
  readonly rawHeaders: readonly string[];
  readonly isUpgrade: boolean;
}

export type Verdict =
  | { readonly isLetIn: true; readonly caller: Caller }
  /** Nobody yet: good for the static page and for signing in, and for nothing else. */
  | { readonly isLetIn: false; readonly isStranger: true; readonly problem: Problem }
  | { readonly isLetIn: false; readonly isStranger: false; readonly problem: Problem };

export interface GuardOptions {
  /** The port that is listened to. */
  readonly port: number;
  /** Names that the server is called by, without port. */
  readonly hosts?: readonly string[] | undefined;
  readonly signIns: SignIns;
  /** The program that a token belongs to. */
  findProgram?(token: string): Caller | undefined;
  /** For a program that has the server in it: whoever it lets in has passed, after host and origin. */
  authorize?(headers: IncomingHttpHeaders): Caller | undefined;
  readonly isSecure?: boolean | undefined;
}

export interface Guard {
  check(knock: Knock): Verdict;
  readonly cookieName: string;
  /** The header that gives a browser its sign-in. */
  cookieFor(secret: string): string;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const ALL_RIGHTS: ReadonlySet<Right> = new Set(RIGHTS);
/** Headers of which a second one would be read by some and not by others. */
const SINGLE = [
  'host',
  'origin',
  'authorization',
  'cookie',
  'content-type',
  'content-length',
  'sec-fetch-site',
  KEY_HEADER,
];

export function createGuard(options: GuardOptions): Guard {
  const { port, hosts = LOOPBACK, signIns, isSecure = false } = options;
  const scheme = isSecure ? 'https' : 'http';
  const names = new Set(hosts.map((host) => `${host}:${port}`));
  const origins = new Set([...names].map((name) => `${scheme}://${name}`));
  // Cookies know no ports: another server on this machine must not get in the way.
  const cookieName = `tailrace-${port}`;

  function refuse(detail: string): Verdict {
    return { isLetIn: false, isStranger: false, problem: createProblem('refused', detail) };
  }

  /** Why it does not come from where it should; nothing when it does. */
  function wrongOrigin({ method, headers, isUpgrade }: Knock): string | undefined {
    const { origin } = headers;
    if (origin !== undefined) return origins.has(origin) ? undefined : 'the request comes from another page';
    if (hasToken(headers)) return undefined;
    const isReading = (method === 'GET' || method === 'HEAD') && !isUpgrade;
    if (!isReading) return 'the request does not say which page it comes from';
    const site = headers['sec-fetch-site'];
    return site === 'cross-site' || site === 'same-site' ? 'the request comes from another page' : undefined;
  }

  function callerOf(headers: IncomingHttpHeaders): Caller | undefined {
    const host = options.authorize?.(headers);
    if (host) return host;
    const token = tokenOf(headers);
    // Whoever shows a token is that program, and not somebody else beside it.
    if (token !== undefined) return options.findProgram?.(token);
    // A browser does not name the page when it only reads from the same one, but it says so, and no page can say it for it.
    if (headers.origin === undefined && headers['sec-fetch-site'] !== 'same-origin') return undefined;
    const cookie = cookieOf(headers.cookie, cookieName);
    const key = keyOf(headers);
    // The cookie goes to every port of this machine that the person looks at; the key does not.
    const signIn = cookie === undefined || key === undefined ? undefined : signIns.find({ cookie, key });
    return signIn && { kind: 'person', id: signIn.id, rights: ALL_RIGHTS };
  }

  return {
    cookieName,
    cookieFor: (secret) =>
      `${cookieName}=${secret}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}; Max-Age=2592000`,
    check(knock) {
      const { method, target, headers, rawHeaders, isUpgrade } = knock;
      if (!/^\/(?![/\\])/.test(target)) return refuse('the target has to begin with one slash');
      const twice = SINGLE.find(
        (name) => rawHeaders.filter((one, at) => at % 2 === 0 && one.toLowerCase() === name).length > 1,
      );
      if (twice !== undefined) return refuse(`there is more than one ${twice}`);
      if (headers.host === undefined || !names.has(headers.host)) return refuse('the server has another name');
      const wrong = wrongOrigin(knock);
      if (wrong !== undefined) return refuse(wrong);
      const isReading = method === 'GET' || method === 'HEAD';
      if (isUpgrade && method !== 'GET') return refuse('an upgrade begins with GET');
      if (!isReading && !isJson(headers['content-type'])) return refuse('what is sent has to be application/json');
      const caller = callerOf(headers);
      if (caller) return { isLetIn: true, caller };
      return { isLetIn: false, isStranger: true, problem: createProblem('unauthenticated') };
    },
  };
}

function isJson(type: string | undefined): boolean {
  return type !== undefined && /^application\/json\s*(;\s*charset=utf-8\s*)?$/i.test(type);
}

/** Browsers send no headers with a socket, but a protocol. */
function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers[KEY_HEADER];
  return typeof key === 'string' ? key : keyInProtocols(headers['sec-websocket-protocol']);
}

function hasToken(headers: IncomingHttpHeaders): boolean {
  return tokenOf(headers) !== undefined;
}

function tokenOf({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer ([\w-]{1,200})$/.exec(authorization ?? '')?.[1];
}

/** The value of a cookie; of two with the same name none, since somebody else may have put one there. */
function cookieOf(header: string | undefined, name: string): string | undefined {
  const found = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`));
  return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined;
}
