// A command with a key is done once: the same key again gets the same reply, also while the first is still at it.

import { createHash } from 'node:crypto';

export interface Once<T> {
  /** Does the work, or gives what it came to before. A caller's keys are its own. `content` is what is asked: another under the same key is refused. */
  run(caller: string, key: string, content: string, work: () => Promise<T>): Promise<T>;
}

export class KeyReused extends Error {
  constructor() {
    super('this key was used for something else');
  }
}

export interface OnceOptions {
  readonly clock?: (() => number) | undefined;
  /** How long a reply is remembered. */
  readonly keepMs?: number | undefined;
  readonly maxKeys?: number | undefined;
}

const KEEP_MS: number = 24 * 3_600_000;
const MAX_KEYS = 10_000;

export function createOnce<T>({ clock = Date.now, keepMs = KEEP_MS, maxKeys = MAX_KEYS }: OnceOptions = {}): Once<T> {
  const replies = new Map<string, { readonly at: number; readonly digest: string; readonly reply: Promise<T> }>();

  /** They stand in the order of their times. */
  function forgetOld(): void {
    for (const [name, { at }] of replies) {
      if (replies.size <= maxKeys && clock() - at < keepMs) return;
      replies.delete(name);
    }
  }

  return {
    run(caller, key, content, work) {
      forgetOld();
      const name = JSON.stringify([caller, key]);
      const before = replies.get(name);
      // What is asked may be long, and is remembered for long.
      const digest = createHash('sha256').update(content).digest('base64url');
      if (before) return before.digest === digest ? before.reply : Promise.reject(new KeyReused());
      const reply = work();
      replies.set(name, { at: clock(), digest, reply });
      return reply;
    },
  };
}
