// A person signs in by typing a code that the server showed them. The browser gets two secrets for it: one in a cookie, which no script
// can read, and a key that the page keeps, which no other port of this machine is sent. Either alone is worth nothing. Only their hashes
// are kept, and only in memory: when the server ends, everybody is signed out.

import { CODE_MS, CODE_PAUSE_MS, CODE_TRIES, MAX_SIGN_INS, SIGN_IN_MS } from './limits.ts';
import { createCode, createSecret, hashOf, isSame } from './secret.ts';

export interface SignIn {
  readonly id: string;
  readonly at: number;
}

/** What a browser gets. */
export interface Secrets {
  readonly cookie: string;
  readonly key: string;
}

export interface SignIns {
  /** Makes a code, which takes the place of the one before; nothing when one was made a moment ago. */
  newCode(): string | undefined;
  /** Takes a code, once; nothing when it is wrong, too old, used, or was tried too often. */
  enter(code: string): Secrets | undefined;
  /** Whose secrets they are, both of them. */
  find(secrets: Secrets): SignIn | undefined;
  leave(id: string): void;
}

export interface SignInOptions {
  readonly clock?: (() => number) | undefined;
}

interface Code {
  readonly text: string;
  readonly at: number;
  tries: number;
}

interface Held {
  readonly signIn: SignIn;
  /** The hash of the key. */
  readonly key: string;
  seenAt: number;
}

export function createSignIns({ clock = Date.now }: SignInOptions = {}): SignIns {
  const held = new Map<string, Held>();
  let code: Code | undefined;
  let count = 0;

  function keepRoom(): void {
    const oldest = [...held].sort(([, a], [, b]) => a.seenAt - b.seenAt)[0];
    if (held.size >= MAX_SIGN_INS && oldest) held.delete(oldest[0]);
  }

  return {
    newCode() {
      const at = clock();
      if (code && at - code.at < CODE_PAUSE_MS) return undefined;
      code = { text: createCode(), at, tries: 0 };
      return code.text;
    },
    enter(text) {
      if (!code || code.tries >= CODE_TRIES || clock() - code.at > CODE_MS) return undefined;
      code.tries++;
      if (!isSame(text.trim().toUpperCase(), code.text)) return undefined;
      // Once: whoever has it after that has nothing. The pause before the next one goes on.
      code.tries = CODE_TRIES;
      keepRoom();
      const secrets = { cookie: createSecret(), key: createSecret() };
      const at = clock();
      const signIn = { id: `person-${++count}`, at };
      held.set(hashOf(secrets.cookie), { signIn, key: hashOf(secrets.key), seenAt: at });
      return secrets;
    },
    find({ cookie, key }) {
      const name = hashOf(cookie);
      const one = held.get(name);
      if (!one || !isSame(hashOf(key), one.key)) return undefined;
      if (clock() - one.seenAt > SIGN_IN_MS) {
        held.delete(name);
        return undefined;
      }
      one.seenAt = clock();
      return one.signIn;
    },
    leave(id) {
      for (const [key, { signIn }] of held) if (signIn.id === id) held.delete(key);
    },
  };
}
