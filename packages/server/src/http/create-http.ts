// A request's way: the guard, then its route, then what it may, then what it asks, then its answer. Nothing is looked at before the guard.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { CommandReply } from '@tailrace/protocol';
import type { z } from 'zod';
import { createOnce } from '../control/once.ts';
import type { Caller, Verdict } from '../guard/guard.ts';
import { ProblemError } from '../problem-error.ts';
import type { HttpContext, HttpParts } from './context.ts';
import { type FoundRoute, findRoute } from './find-route.ts';
import { knockOf } from './knock-of.ts';
import { MAX_KEY_LENGTH } from './limits.ts';
import { problemOf } from './problem-of.ts';
import { readBody } from './read-body.ts';
import type { Reply, Route } from './route.ts';
import { routes } from './routes.ts';
import { sendBytes, sendFile, sendJson, sendProblem } from './send.ts';
import { createUsageReports } from './usage-report.ts';

export interface Http {
  /** For a server of {@link createHttpServer}. Never throws. */
  readonly listener: RequestListener;
}

/** Somebody who has not signed in: only what is for anybody is done for them. */
const NOBODY: Caller = { kind: 'program', id: 'nobody', rights: new Set() };

/** Everything that is asked for over HTTP, behind the guard. */
export function createHttp(parts: HttpParts): Http {
  const { guard, audit, store, projects, usage } = parts;
  const context: HttpContext = {
    ...parts,
    once: createOnce<CommandReply>(),
    usageReports: createUsageReports(store, projects, usage),
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const verdict = guard.check(knockOf(request, false));
    if (!verdict.isLetIn && !verdict.isStranger) {
      audit.write({ action: 'request', result: 'refused', detail: verdict.problem.detail });
      return sendProblem(request, response, verdict.problem);
    }
    const { path, query } = partsOf(request.url ?? '');
    // What asks for the head only is answered like the whole, without its body.
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
    if (method === 'GET' && !isApi(path)) {
      const file = isPlain(path) ? parts.page?.(path) : undefined;
      if (file) return sendFile(request, response, file);
    }
    const found = findFor(verdict, method, path);
    checkEntry(found.route, verdict);
    const reply = await handle(found, request, query, verdict.isLetIn ? verdict.caller : NOBODY);
    if ('bytes' in reply) return sendBytes(request, response, reply.bytes, reply.etag);
    sendJson(request, response, reply.body, { hasETag: found.route.hasETag, headers: reply.headers ?? {} });
  }

  /** Strangers are not told what there is; what they wanted is written down (T-01). */
  function findFor(verdict: Verdict, method: string, path: string): FoundRoute {
    if (verdict.isLetIn) {
      const found = findRoute(routes, method, path);
      if (found) return found;
      throw new ProblemError('not-found', `there is nothing to ${method} here`);
    }
    const strangers = routes.filter(({ entry }) => entry === 'anybody');
    const found = findRoute(strangers, method, path);
    if (found) return found;
    const wanted = wantedBy(method, path);
    const runId = wanted?.parameters['runId'];
    audit.write({ action: wanted?.route.name ?? 'request', runId, result: 'unauthenticated' });
    throw new ProblemError('unauthenticated');
  }

  function checkEntry({ entry, name }: Route, verdict: Verdict): void {
    if (entry === 'anybody') return;
    if (!verdict.isLetIn) throw new ProblemError('unauthenticated');
    const { caller } = verdict;
    const isAllowed = entry === 'person' ? caller.kind === 'person' : caller.rights.has(entry);
    if (isAllowed) return;
    audit.write({ action: name, caller: caller.id, result: 'refused' });
    throw new ProblemError(
      'refused',
      entry === 'person' ? 'only a person may do this' : `this needs the right "${entry}"`,
    );
  }

  async function handle(
    { route, parameters }: FoundRoute,
    request: IncomingMessage,
    query: string,
    caller: Caller,
  ): Promise<Reply<unknown>> {
    const asked = route.query && check(route.query, queryOf(query));
    const { text, value } = route.body ? await readBody(request) : { text: '', value: undefined };
    const body = route.body && check(route.body, value);
    const key = route.isOnce ? keyOf(request) : undefined;
    return await route.handle({ caller, parameters, query: asked, body, text, key }, context);
  }

  return {
    listener(request, response) {
      serve(request, response).catch((error: unknown) => {
        const problem = problemOf(error);
        if (problem.code === 'internal') parts.onError?.(error);
        if (response.headersSent) response.destroy();
        else sendProblem(request, response, problem);
      });
    },
  };
}

/** The route, if it is one at all: for the log alone. */
function wantedBy(method: string, path: string): FoundRoute | undefined {
  try {
    return findRoute(routes, method, path);
  } catch {
    return undefined;
  }
}

function partsOf(target: string): { readonly path: string; readonly query: string } {
  const at = target.indexOf('?');
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) };
}

function isApi(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

/** Names that need no reading: nothing in code but the colon of a session's id, no dots that lead upwards. No drive has two letters. */
function isPlain(path: string): boolean {
  return path === '/' || /^(\/([a-z]{2,20}(:|%3A))?[\w-][\w.-]*)+$/.test(path);
}

function queryOf(text: string): unknown {
  const entries = [...new URLSearchParams(text)];
  if (new Set(entries.map(([name]) => name)).size < entries.length)
    throw new ProblemError('bad-request', 'a parameter stands there twice');
  return Object.fromEntries(entries);
}

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new ProblemError(
    'bad-request',
    `${place === '' ? 'the request' : place}: ${issue?.message ?? 'not understood'}`,
  );
}

function keyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH)
    throw new ProblemError('bad-request', `a key has at most ${MAX_KEY_LENGTH} characters`);
  return key;
}
