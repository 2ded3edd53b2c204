// Small hands for making chunks of events, which may have come over a wire and be of any shape.

import type { JsonRecord, OwnFacts } from './chunk.ts';

type Told<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that somebody told: absent is not `undefined`. */
export function told<T extends object>(fields: T): Told<T> {
  // What is left out is what `Told` lets be absent.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Told<T>;
}

/** Facts of ours, as metadata of a part. */
export function ownFacts(facts: object): OwnFacts {
  // They were made of events, which are JSON: the AI SDK's type only knows no read-only lists.
  return { tailrace: told(facts) as JsonRecord };
}
