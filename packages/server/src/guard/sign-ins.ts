// A person signs in by typing a code that the server showed them. The browser gets a secret in a cookie for it; only its hash is kept,
// and only in memory: when the server ends, everybody is signed out.

import { CODE_MS, CODE_PAUSE_MS, CODE_TRIES, MAX_SIGN_INS, SIGN_IN_MS } from './limits.ts';
import { createCode, createSecret, hashOf, isSame } from './secret.ts';

export interface SignIn {
  readonly id: string;
  readonly at: number;
}

export interface SignIns {
  /** Makes a code, which takes the place of the one before; nothing when one was made a moment ago. */
  newCode(): string | undefined;
  /** Takes a code: the secret for the cookie, once; nothing when it is wrong, too old, used, or was tried too often. */
  enter(code: string): string | undefined;
  /** Whose secret it is. */
  find(secret: string): SignIn | undefined;
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
      const secret = createSecret();
      const at = clock();
      held.set(hashOf(secret), { signIn: { id: `person-${++count}`, at }, seenAt: at });
      return secret;
    },
    find(secret) {
      const key = hashOf(secret);
      const one = held.get(key);
      if (!one) return undefined;
      if (clock() - one.seenAt > SIGN_IN_MS) {
        held.delete(key);
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
