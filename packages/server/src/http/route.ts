// What a route is: declared once, for finding it, for checking what is asked, and for the document that describes it.

import type { z } from 'zod';
import type { Caller, Right } from '../guard/guard.ts';
import type { HttpContext } from './context.ts';

/** Who may ask. A person may do everything; `person` is for what no program may do; `anybody` for those who want to get in. */
type Entry = Right | 'person' | 'anybody';

/** Everything that may stand in an address in the place of a name (T-09): ids, and the number of a line. */
export const PARAMETERS: Readonly<Record<Parameter, RegExp>> = {
  // The agent's own, or the name of a run that never told one. No drive has two letters.
  sessionId: /^(?!.*\.\.)([a-z]{2,20}:)?[A-Za-z0-9][\w.-]{0,178}$/,
  runId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  programId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  position: /^[1-9]\d{0,14}$/,
};
export type Parameter = 'sessionId' | 'runId' | 'programId' | 'position';

/** What is asked, after it was checked. */
export interface Asked<P extends string, Q, B> {
  readonly caller: Caller;
  readonly parameters: { readonly [N in NamesIn<P>]: string };
  readonly query: Q;
  readonly body: B;
  /** The body as it came. */
  readonly text: string;
  /** The same key again is done once. */
  readonly key: string | undefined;
}

export type Reply<R> =
  | { readonly body: R; readonly headers?: Readonly<Record<string, string>> }
  | { readonly bytes: Uint8Array; readonly etag: string };

interface Declared<P extends string, Q, B, R> {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: P;
  /** A sentence for the document. */
  readonly says: string;
  readonly entry: Entry;
  readonly query?: z.ZodType<Q> | undefined;
  readonly body?: z.ZodType<B> | undefined;
  /** Absent: there is nothing to reply, or bytes. */
  readonly reply?: z.ZodType<R> | undefined;
  readonly hasBytes?: boolean | undefined;
  /** Whoever has it already is told so. */
  readonly hasETag?: boolean | undefined;
  /** Takes the header `Idempotency-Key`. */
  readonly isOnce?: boolean | undefined;
}

export interface RouteDefinition<P extends string, Q, B, R> extends Declared<P, Q, B, R> {
  handle(asked: Asked<P, Q, B>, context: HttpContext): Promise<Reply<R>>;
}

export interface Route extends Declared<string, unknown, unknown, unknown> {
  handle(asked: Asked<string, unknown, unknown>, context: HttpContext): Promise<Reply<unknown>>;
}

/** Declares a route; the types of what its handler gets come from its address and its schemas. */
export function defineRoute<const P extends string, Q = undefined, B = undefined, R = undefined>(
  definition: RouteDefinition<P, Q, B, R>,
): Route {
  // The handler is only called with what these schemas and this address gave.
  return definition as unknown as Route;
}

type NamesIn<P extends string> = P extends `${string}:${infer N}/${infer Rest}`
  ? N | NamesIn<`/${Rest}`>
  : P extends `${string}:${infer N}`
    ? N
    : never;
