// The key of a person's sign-in: kept where the page's own origin can read it and nobody else, so that another tab has it too.

export interface SignInKey {
  get(): string | undefined;
  set(key: string | undefined): void;
}

const NAME = 'tailrace-key';

/** In the browser's storage; where there is none, as long as the client lives. */
export function createSignInKey(): SignInKey {
  let own: string | undefined;
  return {
    get() {
      try {
        return globalThis.localStorage?.getItem(NAME) ?? own;
      } catch {
        // Storage can be forbidden.
        return own;
      }
    },
    set(key) {
      own = key;
      try {
        if (key === undefined) globalThis.localStorage?.removeItem(NAME);
        else globalThis.localStorage?.setItem(NAME, key);
      } catch {
        // Then this client alone knows it.
      }
    },
  };
}
